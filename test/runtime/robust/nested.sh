# 100 levels of parentheses work; a million end with one message.
deep=$(printf '(%.0s' $(seq 100))1$(printf ')%.0s' $(seq 100))
"$dtrace" -qn "BEGIN { printf(\"%d\\n\", $deep + 1); exit(0); }"; echo $?
{ printf 'BEGIN { trace('; head -c 1000000 /dev/zero | tr '\0' '('; printf '1); }'; } > deep.d
"$dtrace" -q -s deep.d 2> err; echo $?
head -n 1 err
wc -l < err | awk '{ print ($1 <= 4) }'
