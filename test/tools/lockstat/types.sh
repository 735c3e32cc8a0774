# Arguments of lockstat, as users see them.
"$dtrace" -lvn 'lockstat:::adaptive-block, lockstat:::spin-spin, lockstat:::rw-block' | sed 's/^ *[0-9]* //' | grep -v -e Names -e Semantics -e Class
