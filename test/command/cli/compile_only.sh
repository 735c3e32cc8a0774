# -e compiles and does not run; its status says whether it compiled.
"$dtrace" -en 'BEGIN { printf("never\n"); }'; echo $?
"$dtrace" -en 'BEGIN { nonsense; }'; echo $?
# declarations alone compile, and libraries alone
"$dtrace" -en 'int x; inline int Y = 2;'; echo $?
"$dtrace" -b 1k -en 'BEGIN'; echo $?
"$dtrace" -e; echo $?
mkdir lib; echo 'inline int Z = nosuch;' >lib/z.d
"$dtrace" -L lib -e; echo $?
