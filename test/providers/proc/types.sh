# Arguments and stability of proc, as users see them.
"$dtrace" -lvn 'proc:::create, proc:::exec, proc:::exit, proc:::signal-send, proc:::signal-handle' | sed 's/^ *[0-9]* //'
