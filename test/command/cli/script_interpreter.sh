# #! scripts are executable, with operands; Linux hands over several words as one.
# $0 is the script's name, also where it looks like an identifier.
printf '#!%s -qs\nBEGIN { printf("%%s %%d\\n", $$1, $2); exit(0); }\n' "$dtrace" > x.d
chmod +x x.d
./x.d word 5; echo $?
printf '#!%s -q -x strsize=3 -s \nBEGIN { printf("%%s %%s\\n", $0, $$1); exit($2); }\n' "$dtrace" > script
chmod +x script
./script words 5; echo $?
PATH=.:$PATH script words 6; echo $?
"$dtrace" -q -s script words 7; echo $?
"$dtrace" -q '-n BEGIN { exit(3); }'; echo $?
