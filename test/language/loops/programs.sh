# Clauses that are compiled to several programs are one firing: looplimit holds for all of their loops together.
awk 'BEGIN {
	print "#pragma D option quiet\n#pragma D option looplimit=3000\nint64_t turns;"
	for (i = 0; i < 400; i++)
		print "BEGIN { for (int i = 0; i < 9; i++) turns++; }"
	print "BEGIN { printf(\"%d turns\\n\", turns); exit(0); }"
}' > limit.d
# each loop ends in a turn that only finds that it is over
"$dtrace" -s limit.d 2> errors
echo "$(grep -c 'loop limit exceeded' errors) loops had none left"
