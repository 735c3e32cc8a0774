# A 10 MB script compiles or fails cleanly.
# @anykernel: the text is long, the program is not
awk 'BEGIN { for (i = 0; i < 400000; i++) print "/* line ", i, " of a long comment */" ; print "BEGIN { printf(\"done\\n\"); exit(0); }" }' > big.d
[ "$(wc -c < big.d)" -gt 10000000 ] && echo big
"$dtrace" -q -s big.d; echo $?
awk 'BEGIN { for (i = 0; i < 300000; i++) print "BEGIN { x = 1 + 2 * 3; }"; print "BEGIN { oops" }' > bad.d
"$dtrace" -q -s bad.d 2> err; echo $?
wc -l < err
# A clause that no kernel would take is refused before it fills the memory.
{ echo 'BEGIN {'; yes 'x = 1;' | head -n 1000000; echo '}'; } > clause.d
"$dtrace" -e -s clause.d; echo $?
