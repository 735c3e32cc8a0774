# Clauses that take scratch memory and share this-> variables run as several
# programs, too: a pointer that each of them sets before it looks at it ties
# nothing together, and what is no pointer goes on with the firing.
awk 'BEGIN {
	for (i = 1; i <= 30; i++) {
		printf("BEGIN { this->p = (char *)alloca(16); this->p[arg0 + 3] = %d; this->n += this->p[3] + this->p[arg0 + 4]; ", i)
		printf("this->s = strjoin(this->s, substr(\"abcdefghijklmnopqrstuvwxyzABCDEF\", %d, 1)); ", i - 1)
		printf("if (index(this->s, \"z\") > arg0) { this->p = (char *)alloca(8); seen += this->p[arg0] + 1; } }\n")
	}
	print "BEGIN { printf(\"%d %s %d\\n\", this->n, this->s, seen); exit(0); }"
}' > clauses.d
{ echo 'this string s;'; cat clauses.d; } > many.d
"$dtrace" -q -x scratchsize=1k -s many.d
# A pointer that a clause before has set does tie, as long as that fits.
"$dtrace" -qn 'BEGIN { this->p = (int *)alloca(8); *this->p = 7; } BEGIN { *this->p += 1; } BEGIN { trace(*this->p); exit(0); }'
