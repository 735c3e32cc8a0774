# functions use variables as clauses do: globals, self->, this->, undeclared ones, macros, inlines, translators
. "$suite/lib.sh"
cat > variables.d <<'D'
inline int LIMIT = 10;
inline string me = execname;
void start(void) { began = 1000; self->depth = $1; this->local = 3; name = me; }
int64_t late(void) { return began + LIMIT; }
void wider(void) { wide = 1; }
int depth(void) { return self->depth + this->local; }
string who(psinfo_t *p) { return p->pr_fname; }
string again(psinfo_t *p) { return who(p); }
BEGIN
{
	start();
	wider();
	printf("%d %d %d %s\n", late(), depth(), name == execname, $$2);
	printf("%d %d\n", who(curpsinfo) == execname, again(curpsinfo) == execname);
	wide = 0x100000000;
	printf("%x\n", wide);
	exit(0);
}
D
"$dtrace" -q -s variables.d 39 text
# in one text of -n, and from one text to the next
"$dtrace" -q -n 'int twice(int x) { return 2 * x; } BEGIN { printf("%d\n", twice(4)); }' \
    -n 'BEGIN { printf("%d\n", twice(twice(4))); exit(0); }'
# a variable that is read above its assignment, as in a clause
"$dtrace" -q -n 'void once(void) { if (seen) printf("again\n"); seen = 1; } BEGIN { once(); once(); exit(0); }'
