# -e compiles and does not run; its status says whether it compiled.
"$dtrace" -en 'BEGIN { printf("never\n"); }'; echo $?
"$dtrace" -en 'BEGIN { nonsense; }'; echo $?
