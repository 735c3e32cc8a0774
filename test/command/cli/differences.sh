# doc/differences.md: what it says of this dtrace is so.  Each row names the words by which it stands there.
# @anykernel: the language is the same everywhere
page=$suite/../doc/differences.md
row() {
	grep -qF -- "$1" "$page" || echo "no such row: $1"
	echo "== $1"
}
run() { "$dtrace" -q "$@" 2>&1 | sed 's/at BPF pc [0-9]*/at BPF pc N/; /^$/d'; }
tag() { "$dtrace" -xerrtags -e -n "$1" 2>&1 | grep -o 'D_[A-Z_]*' | head -1; }

row '`if` and `else`'
run -n 'BEGIN { if (pid) { printf("then\n"); } else { printf("else\n"); } exit(0); }'
row '`//` comments'
run -n 'BEGIN { x = 1; // a comment
	printf("%d\n", x); exit(0); }'
row 'constant `?:` with actions'
run -n 'inline int OPT = 0; BEGIN { OPT ? printf("x") : 1; OPT ? 1 : printf("chosen\n"); exit(0); }'
row '`NULL`'
run -n 'BEGIN { x = NULL; x = 5; y = NULL; y = curthread; printf("%d %d %d\n", sizeof (NULL), x, y != NULL); exit(0); }'
row 'undefined `!self->x`, `-a["k"]`'
run -n 'BEGIN { printf("%d %d %d\n", !self->x, -a["k"], sizeof (a["k"])); exit(0); }'
row '`self x;` `this x;` `extern x;`'
run -n 'self x; BEGIN { printf("%d\n", sizeof (self->x)); exit(0); }'
row 'integers between operators and in variables'
run -n 'int x; BEGIN { x = 5000000000; printf("%d %d %d\n", x, x + 0LL, (int)x + 0LL); exit(0); }'
row 'type of `x = 0; x = timestamp;`'
run -n 'BEGIN { x = 0; printf("%d\n", sizeof (x)); x = timestamp; exit(0); }'
row 'mixed signs, `-1 == 4294967295u`'
run -n 'BEGIN { a = -1; b = 4294967295u; printf("%d\n", a == b); exit(0); }'
row 'order in `i += i++`'
run -n 'BEGIN { i = 5; i += i++; printf("%d\n", i); exit(0); }'
row '`self->s` that was never assigned'
run -n 'self string s; BEGIN { printf("%d\n", self->s == NULL); } BEGIN { trace(self->s); } BEGIN { exit(0); }'
row 'value of `strsize`'
run -x strsize=10 -n 'BEGIN { s = "0123456789abc"; printf("%s\n", s); exit(0); }'
row 'constant index outside of an array'
tag 'int a[3]; BEGIN { a[5] = 1; }'
row 'small signed values, `(int8_t)-2`'
run -n 'BEGIN { printf("%d %d\n", (int8_t)-2, (int16_t)-2); @[(int8_t)-2] = count(); exit(0); }'
row '`sizeof (struct nosuch)`'
tag 'BEGIN { trace(sizeof (struct nosuch)); }'
row '`short short x;`'
tag 'short short x; BEGIN { }'
row '`userland` pointers'
run -n 'userland int *p; BEGIN { printf("%d\n", sizeof (p)); exit(0); }'
row '`-x version=1.0`'
run -x version=1.0 -n 'BEGIN { index = 3; printf("%d\n", index); exit(0); }'
row '`#pragma D error "text"`'
printf '#pragma D error "text"\nBEGIN { }\n' > error.d
"$dtrace" -e -s error.d 2>&1 | head -1

row '`json` `strtoll` `toupper` `tolower` `lltostr` with a base'
run -n 'BEGIN { printf("%s %d %s %s %s\n", json("{\"a\": 5}", "a"), strtoll("12"), toupper("a"), tolower("B"), lltostr(255, 16)); exit(0); }'
row '`link_ntop` `d_path`'
run -n 'BEGIN { printf("%s\n", link_ntop(1, alloca(6))); exit(0); }'
row '`inet_ntoa6(a, strict)`'
run -n 'BEGIN { a = (in6_addr_t *)alloca(16); printf("%s %s\n", inet_ntoa6(a), inet_ntoa6(a, 1)); exit(0); }'
row '`cleanpath("/a/b/.")`'
run -n 'BEGIN { printf("%s %s %s\n", cleanpath("/a/b/."), cleanpath("/a/b/"), cleanpath("./a")); exit(0); }'
row '`strjoin` of too much'
run -x strsize=4 -n 'BEGIN { printf("%s\n", strjoin("abc", "def")); exit(0); }'
row '`print(p)` of a pointer'
run -n 'struct s { int a; }; BEGIN { p = (struct s *)alloca(4); p->a = 5; print(p); print(5); exit(0); }' | sed 's/^0x[0-9a-f]*/ADDRESS/'
row '`tracemem(p, n, 0)`'
run -n 'BEGIN { p = alloca(8); tracemem(p, 8, 0); printf("nothing\n"); exit(0); }'
row '`trace()` of integers'
"$dtrace" -n 'BEGIN { trace((int64_t)-1); trace(-1); trace((short)-1); trace((char)-1); trace(1ull); exit(0); }' 2>/dev/null | grep -o 'BEGIN.*'
row '`%i` of an unsigned value'
run -n 'BEGIN { printf("%i\n", (unsigned)-1); exit(0); }'
row '`ERROR`: arg1, arg2'
run -n 'BEGIN { *(int *)8; } ERROR { printf("%d %d\n", arg1, arg2); exit(0); }'

row 'integer keys of different size'
run -n 'BEGIN { @[(int)1] = count(); @[(uint64_t)1] = count(); exit(0); }'
row '`llquantize` of negative values'
run -n 'BEGIN { @ = llquantize(-15, 10, 0, 2, 10); exit(0); }'
row '`lquantize` of values beyond 32 bits'
run -n 'BEGIN { @ = lquantize(0x100000005, 0, 10, 1); exit(0); }'
row '`min`, `max` after `clear()`'
run -n 'BEGIN { @ = min(5); clear(@); exit(0); }'
row '`normalize()`'
run -n 'BEGIN { @[1] = sum(10); normalize(@, 5); @[2] = sum(20); exit(0); }'
row '`agghist` `aggpack` `aggzoom`'
run -x agghist -n 'BEGIN { @["a"] = sum(10); exit(0); }'

row 'run-time fault'
run -n 'BEGIN { *(int *)8; } ERROR { exit(0); }'
row 'wrong number of arguments of `clear` `normalize` `trunc` `stack` `ustack`'
for call in 'clear(@a, 1)' 'normalize(@a)' 'trunc(@a, 1, 2)' 'stack(1, 2)' 'ustack(1, 2, 3)'; do
	tag "BEGIN { @a = count(); $call; }"
done
row '`stack("a")`'
tag 'BEGIN { stack("a"); }'
row '`trace(@a)`'
tag 'BEGIN { @a = count(); trace(@a); }'
row '`commit` after `commit`'
tag 'BEGIN { commit(1); commit(1); }'
row '`llquantize` parameters'
tag 'BEGIN { @ = llquantize(1, 1, 0, 2, 10); }'
row 'unknown type `(vnode_t *)arg0`'
"$dtrace" -e -n 'BEGIN { x = (vnode_t *)arg0; }' 2>&1 | tail -1
row '`dtrace -V`'
"$dtrace" -V

row '`-e`'
setpriv --reuid 65534 --clear-groups "$dtrace" -e -n BEGIN && echo "as anybody"
row '`-C`'
printf '#ifdef __GNUC__\nBEGIN { printf("defined\\n"); exit(0); }\n#endif\n' > c.d
run -C -s c.d
row 'tiny `bufsize`: `-b 1k`'
run -b 1k -n 'BEGIN { exit(0); }'
row 'a broken library of `-L`'
mkdir lib; echo 'inline int X = nosuch;' > lib/x.d
run -L lib -n 'BEGIN { printf("runs\n"); exit(0); }'
row '`-A` `-a`'
"$dtrace" -A 2>&1 | cut -d: -f1-2
