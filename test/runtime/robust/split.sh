# Lists of clauses too long for one program run as several: all of them, in
# order, with this-> variables that clauses share, faults, and exit().
clauses() {
	awk -v probe="$1" 'BEGIN {
		for (i = 0; i < 64; i++) {
			printf("%s /pid >= 0 && execname != \"x%d\"/ { n += 1; this->a%d = pid * 0 + %d; @[probename, n * 0] = count(); }\n", probe, i, i, i);
			printf("%s { self->s = strlen(execname) > 99 ? \"long\" : \"short\"; total += this->a%d; ", probe, i);
			printf("printf(\"%%d %%d %%s\\n\", n, this->a%d, self->s); }\n", i);
			if (i == 40)
				printf("%s { trace(*(int *)n); }\n", probe);
		}
		printf("ERROR { printf(\"fault %%d at %%x\\n\", arg4, arg5); }\n");
		printf("%s { printf(\"%%d %%d\\n\", n, total); exit(n == 64 ? 7 : 8); }\n", probe);
		printf("%s { printf(\"never\\n\"); }\n", probe);
	}'
}
for probe in BEGIN tick-100ms; do
	clauses $probe > many.d
	"$dtrace" -q -x bufsize=1m -s many.d > out 2> err; echo "$probe: status $?"
	sed 's/ID [0-9]*/ID/; s/at BPF pc [0-9]*/at BPF pc/' err
	awk 'NF == 3 && $3 == "short" && $1 == $2 + 1 { good++ } END { print good " lines in order" }' out
	grep -v short out | sed 's/  */ /g'
done
# One clause more than fits in a program, tied together by this->.
awk 'BEGIN { for (i = 0; i < 100; i++) printf("BEGIN { this->x += %d; @[this->x, execname] = count(); }\n", i);
	print "BEGIN { printf(\"%d\\n\", this->x); exit(0); }" }' > tied.d
"$dtrace" -q -x aggsize=64k -s tied.d | head -1
