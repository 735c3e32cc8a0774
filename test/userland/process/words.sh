# -c reads words as a shell does: quotes and backslashes, but nothing is expanded.
run() { "$dtrace" -qn BEGIN -c "$1" 2>&1 || echo "status $?"; }
run 'sh -c "echo one; echo two"'
run "sh -c 'echo \"\$HOME\" | wc -l'"
# each word between brackets
run 'printf "[%s]\n" a\ b "c  d" e"f"'\''g'\'' "" "\"q\"" '\''\n'\'' "\x" \\ $HOME * "a
b" x\
y'
run 'sh -c "echo'
run "echo 'a"
run 'echo a\'
run '""'
