# Arguments of synthetic probes: their types, pointers into the process, getter() of all
# widths and through pointers, several functions and clauses, globs, and a function of a library.
. "$suite/synthetic.sh"
cat > many.c <<'Y'
#include <stdio.h>
#include <stdlib.h>
struct inner { unsigned char byte; unsigned short half; unsigned int word; const char *text; char name[8]; };
struct outer { long skip; struct inner *inner; struct outer *next; };
unsigned char get_byte(struct inner *i) { return i->byte; }
unsigned short get_half(struct inner *i) { return i->half; }
unsigned get_word(struct inner *i) { return i->word; }
const char *get_text(struct outer *o) { return o->inner ? o->inner->text : 0; }
const char *get_name(struct inner *i) { return i->name; }
struct inner *get_inner(struct outer *o) { return o->inner; }
unsigned get_deep(struct outer *o) { return o->next->inner->word; }
int first(struct outer *o, int n) { return o ? n : 0; }
int second(struct outer *o, int n) { return o ? -n : 0; }
int main(void)
{
	struct inner inner = { 255, 65535, 4294967295u, "text", "name" };
	struct outer last = { 0, &inner, 0 }, outer = { 0, &inner, &last }, empty = { 0, 0, &last };
	int sum = 0;

	sum += first(&outer, 1) + second(&outer, 2) + first(&empty, 3);
	sum += get_byte(&inner) + get_half(&inner) + (int)get_word(&inner) + !get_text(&outer) +
	       !get_name(&inner) + !get_inner(&outer) + (int)get_deep(&outer);
	return getenv("x") && sum == 1;
}
Y
cc -O2 -fno-inline -fno-builtin -fno-ipa-cp -fno-ipa-icf many.c -o many-things || exit 1
cat > lib/many.d <<'Y'
struct many_inner { unsigned char byte; unsigned short half; unsigned int word; };
typedef struct many_info { int all; } many_info_t;
translator many_info_t < userland struct many_inner *P > { all = P->byte + P->half; };
provider many {
	probe translated(struct many_inner *p) : (many_info_t *p, struct many_inner *p)
	{
		many-things:second:entry { fire(getter(get_inner, arg0)); }
	};
	probe widths(uint8_t byte, uint16_t half, uint32_t word, char *text, char *name)
	{
		many-things:first:entry
		{
			fire(getter(get_byte, getter(get_inner, arg0)), getter(get_half, getter(get_inner, arg0)),
			    getter(get_word, getter(get_inner, arg0)), getter(get_text, arg0),
			    getter(get_name, getter(get_inner, arg0)));
		}
	};
	probe deep(uint32_t word) { many-things:first:entry { fire(getter(get_deep, arg0)); } };
	/* of what the first pointers of an accessor lead to */
	probe skipped(uint32_t word, uint32_t again)
	{
		many-things:first:entry
		{
			fire(getter(get_deep, getter(get_inner, arg0), 2), getter(get_deep, *(userland uint64_t *)(arg0 + 16), 1));
		}
	};
	probe inner(struct many_inner *p) { many-things:first:entry /getter(get_inner, arg0)/ { fire(getter(get_inner, arg0)); } };
	/* several functions, by a list and by a glob */
	probe both(int n) { many-things:first:entry, many-things:second:entry { fire((int)arg1); } };
	probe all__returns(int n) { many-things:[fs][ie][rc]*:return { fire((int)arg1); } };
	/* statements before fire(), and a condition over them */
	probe sum(int sum, int n)
	{
		many-things:first:entry, many-things:second:entry /(int)arg1 > 0/ { self->many_sum += (int)arg1; self->many_n++; }
		many-things:second:return { self->many_n += 10; fire(self->many_sum, self->many_n); }
	};
	probe variable(char *name) { libc:getenv:entry { fire(arg0); } };
};
Y
run() { "$dtrace" -L lib -qc ./many-things -n "$1" 2>&1 | grep .; }
echo "-- widths; a null pointer gives 0"
run 'many$target:::widths /args[3]/ { printf("%u %u %u %s %s %s\n", args[0], args[1], args[2], copyinstr(arg3), stringof(args[4]), copyinstr(arg4)); }
     many$target:::widths /!args[3]/ { printf("%u %u %u %d %d\n", args[0], args[1], args[2], arg3, arg4); }'
echo "-- through pointers"
run 'many$target:::deep { printf("%u\n", args[0]); }'
run 'many$target:::skipped /args[0]/ { printf("%u %u\n", args[0], args[1]); }'
run 'many$target:::inner { printf("%d %d %u\n", args[0]->byte, args[0]->half, args[0]->word); }'
run 'many$target:::translated { printf("%d %d\n", args[0]->all, args[1]->half); }'
echo "-- several functions"
run 'many$target:::both { printf("%d\n", args[0]); }'
run 'many$target:::all-returns { printf("%d\n", args[0]); }'
run 'many$target:::sum { printf("%d %d\n", args[0], args[1]); }'
echo "-- a library"
run 'many$target:libc*::variable /copyinstr(arg0) == "x"/ { printf("%s %s\n", probemod == "libc.so.6" ? "libc" : probemod, copyinstr(arg0)); }' | sort -u
echo "-- types"
"$dtrace" -L lib -c ./many-things -lvn 'many$target:::widths,many$target:::inner' 2>&1 | grep 'args\['
echo "-- an argument that does not exist"
run 'many$target:::deep { trace(args[1]); }' | sed -n '1s/many[0-9][0-9]*/manyPID/p'
echo "-- types are known before there is a process"
cat > lib/absent.d <<'Y'
provider absent { probe p(int x, char *text) { no-such-program:f:entry { fire(1, arg0); } }; };
Y
"$dtrace" -L lib -qZn 'absent*:::p { printf("%d %s", args[0], stringof(args[1])); } BEGIN { trace("compiled"); exit(0); }' 2>&1
echo
"$dtrace" -L lib -qZn 'absent*:::p { trace(args[2]); } BEGIN { exit(0); }' 2>&1 | head -1
