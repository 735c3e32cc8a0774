# A thousand clauses on one probe still load and run in order.
awk 'BEGIN { for (i = 0; i < 1000; i++) print "BEGIN { n += 1; }"; print "BEGIN { printf(\"%d\\n\", n); exit(0); }" }' > many.d
"$dtrace" -q -s many.d; echo $?
