# Clauses that share this-> variables and the words of strtok() run as several
# programs, too: values go on with the firing and end with it, on every CPU,
# also when another firing that does the same comes in between.
. "$suite/lib.sh"
# clauses PROBE: 1 + 2 + ... + 24 in this->x
clauses() {
	awk -v probe="$1" 'BEGIN {
		printf("%s { this->s = \"none\"; this->t = curthread; this->p.a = 1; this->word = strtok(\"a b c d\", \" \"); }\n", probe)
		for (i = 1; i <= 24; i++) {
			printf("%s { this->x += %d; this->p.b[1] = this->x; ", probe, i)
			printf("@[probename, this->x * 0, execname] = sum(this->x); @q[this->s] = quantize(this->x); }\n")
			if (i % 8)
				continue
			printf("%s { this->s = strjoin(\"sum \", lltostr(this->x)); ", probe)
			printf("this->word = strtok(NULL, \" \"); this->all = strjoin(this->all, this->word); }\n")
		}
	}'
}
echo 'struct pair { int a; long b[2]; }; this struct pair p; this string all;' > declare.d
{
	cat declare.d
	clauses BEGIN | sed '10s/^/BEGIN { trace(*(int *)this->x); }\n/; 20s/^/BEGIN { printf("%d %s %s\\n", this->x, this->s, this->word); }\n/'
	echo 'ERROR { printf("fault at %d: %d, %s\n", arg4, this->x, this->s); this->faults++; }'
	echo 'BEGIN { printf("%d %s %s %d %d %d %d\n", this->x, this->s, this->all, this->p.a, this->p.b[1],
		this->t->pid == tid, this->faults); exit(0); }'
} > once.d
"$dtrace" -q -s once.d 2> err | sed '/^$/,$d'
sed 's/ID [0-9]*/ID/; s/(0x.*//' err
# the same names at probes that interrupt each other
probes="$(cat declare.d; clauses 'syscall::getppid:entry'; clauses profile-199)
"'syscall::getppid:entry /pid == $1/ { @calls = count(); }
syscall::getppid:entry, profile-199
/this->x != 300 || this->s != "sum 300" || this->all != "bcd" || this->p.b[1] != 300/
{ printf("wrong: %s %d %s %s\n", probename, this->x, this->s, this->all); }
profile-199 { samples++; }
END { printa("count s %@d\n", @calls); printf("%s\n", samples ? "sampled" : "no samples"); trunc(@); trunc(@q); }'
trace_trigger "-x aggsize=256k" "$probes" calls getppid 1000 4 > lines
echo "$(count_calls 4000 lines) calls"
grep -v '^$\|^count s ' lines
