# #! scripts are executable, with operands.
printf '#!%s -qs\nBEGIN { printf("%%s %%d\\n", $$1, $2); exit(0); }\n' "$dtrace" > x.d
chmod +x x.d
./x.d word 5; echo $?
