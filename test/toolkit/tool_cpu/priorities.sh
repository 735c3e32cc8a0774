# priclass.d, pridist.d: priorities of programs that were given one.
. "$suite/toolkit.sh"
cp "$triggers/burn" ranked	# a name that no other test has
cat > run.sh <<'Y'
nice -n 7 ./ranked user 200
nice -n 19 ./ranked user 200
chrt -f 30 ./ranked user 100
Y
tool pridist.d -n ranked -- sh run.sh > all
awk '/CMD/ { print $1, $2, $3 } /\|/ && $NF > 0 { print $1 }' all | sort -u
tool priclass.d -- sh run.sh > all
awk '/^ *(TS|RT|DL)$/ { class = $1 } /\|/ && $NF > 0 && (class $1 ~ /TS127|TS139|RT69/) { print class, $1 }' all | sort
