# Types that are built on ten thousand others, and text nested a hundred thousand
# deep, are compiled or refused: the compiler's own stack stays small.
# @anykernel: nothing is loaded
run() {
	( [ "$again" = build ] || ulimit -s 1024	# a sanitized build needs more
	  "$dtrace" -e -s "$1" 2>&1; echo "$1: status $?" ) | grep -v '^ *|\|^ *[0-9]* |' | cut -c1-120
}
chain() { awk -v first="$1" -v next_="$2" -v use="$3" 'BEGIN { print first; for (i = 1; i < 10000; i++) { line = next_; gsub("#", i, line); gsub("@", i - 1, line); print line } print use }'; }
chain 'typedef int t0;' 'typedef t@ t#;' 'BEGIN { x = (t9999)1; }' > typedefs.d
chain 'typedef int *t0;' 'typedef t@ *t#;' 'BEGIN { x = (int)(t9999)1; y = *(t9999)1; }' > pointers.d
chain 'struct s0 { int a; };' 'struct s# { struct s@ m; };' 'BEGIN { x = sizeof(struct s9999); }' > structs.d
chain 'struct s0 { int a; };' 'struct s# { struct s@ m; };' 'this struct s9999 y; BEGIN { print(this->y); }' > print.d
chain 'typedef int t0(void);' 'typedef int t#(t@ *);' 'BEGIN { x = (t9999 *)1; }' > functions.d
repeat() { awk -v a="$1" -v n="${4:-100000}" -v b="$2" -v c="$3" 'BEGIN { printf("BEGIN { x = "); for (i = 0; i < n; i++) printf("%s", a); printf("%s", b); for (i = 0; i < n; i++) printf("%s", c); print "; }" }'; }
repeat '(' 1 ')' > parens.d
repeat '- ' 1 '' > minus.d
repeat '!' 1 '' > nots.d
repeat '1 ? ' 1 ' : 1' > ternary.d
repeat '1 + ' 1 '' > sum.d
repeat '(' 1 ')' 400 > parens_fine.d
repeat '1 + ' 1 '' 4900 > sum_fine.d
awk 'BEGIN { printf("BEGIN { "); for (i = 0; i < 100000; i++) printf("if (pid == %d) { x = 1; } else ", i); print "{ x = 1; } }" }' > else.d
awk 'BEGIN { for (i = 0; i < 100000; i++) printf("struct s%d { ", i); printf("int a;"); for (i = 0; i < 100000; i++) printf("} m%d;", i); print " BEGIN { }" }' > nested.d
for file in typedefs pointers structs print functions parens minus nots ternary sum parens_fine sum_fine else nested; do
	run $file.d
done
