# -L: libraries in the order of their dependencies; one that is wrong harms nobody and is reported.
mkdir lib more
echo 'inline int FIRST = SECOND + 1;' >lib/a.d
sed -i '1i #pragma D depends_on library b.d' lib/a.d
echo 'inline int SECOND = 41;' >lib/b.d
echo 'inline int BAD = nosuch +;' >lib/c.d
printf '#pragma D depends_on library c.d\ninline int ORPHAN = 1;\n' >lib/d.d
printf '#pragma D depends_on provider nosuch\ninline int ELSEWHERE = 1;\n' >lib/e.d
echo 'inline int SECOND = 1;' >more/b.d
"$dtrace" -q -L lib -L more -n 'BEGIN { printf("%d %d\n", FIRST, SECOND); exit(0); }'
"$dtrace" -L lib -en 'BEGIN { trace(ORPHAN); }'; echo $?
"$dtrace" -L lib -en 'BEGIN { trace(ELSEWHERE); }'; echo $?
"$dtrace" -x nolibs -L lib -en 'BEGIN { trace(SECOND); }'; echo $?
"$dtrace" -x debug -L lib -en BEGIN; echo $?
DTRACE_DEBUG=1 "$dtrace" -L lib -en BEGIN; echo $?
# A library is wrong also where only the value of an inline is.
mkdir wrong
echo 'inline int VALUE = nosuch;' >wrong/v.d
printf '#pragma D depends_on library v.d\ninline int USER = VALUE;\n' >wrong/w.d
"$dtrace" -L wrong -en 'BEGIN { trace(VALUE); }'; echo $?
"$dtrace" -L wrong -en 'BEGIN { trace(USER); }'; echo $?
# So is one that needs itself.
mkdir circle
printf '#pragma D depends_on library y.d\ninline int X = 1;\n' >circle/x.d
printf '#pragma D depends_on library x.d\ninline int Y = 1;\n' >circle/y.d
"$dtrace" -L circle -en BEGIN; echo $?
# Those of the default directory are not the user's.
"$dtrace" -x syslibdir=circle -en BEGIN; echo $?
