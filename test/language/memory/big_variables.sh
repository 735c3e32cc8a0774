# Variables whose sizes together do not fit 32 bits are refused: nothing wraps around.
many() { # storage class, prefix
	awk -v class="$1" -v prefix="$2" 'BEGIN {
		for (i = 0; i < 5; i++)
			print class " int big" i "[268435456];"
		print "int i; BEGIN {"
		for (i = 0; i < 5; i++)
			print prefix "big" i "[i] = " i ";"
		print "trace(" prefix "big0[i] + " prefix "big1[i] + " prefix "big2[i] + " prefix "big3[i] + " prefix "big4[i]); exit(0); }"
	}' > many.d
	"$dtrace" -qs many.d 2>&1 | grep '^dtrace: '
}
many "" ""
many self "self->"
many this "this->"
"$dtrace" -qn 'int a[1073741825]; BEGIN { a[0] = 1; a[1073741824] = 5; trace(a[0]); exit(0); }' 2>&1 | grep -o 'array dimension.*'
"$dtrace" -qn 'int a[1000000]; BEGIN { a[0] = 1; a[999999] = 5; printf("%d %d\n", a[0], a[999999]); exit(0); }'
