# The command has dtrace's own standard input.
printf 'one\ntwo\n' | "$dtrace" -qn 'BEGIN { }' -c 'wc -l'
