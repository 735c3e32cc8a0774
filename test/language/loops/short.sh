# Short loops are written out, others are routines; what they do is the same.
how() {
	"$dtrace" -S -e -n "syscall::read:entry { $1 }" 2>&1 |
		awk '/^turn:/ { turns = 1 } /instructions,/ { done = 1 } END { print !done ? "no code" : turns ? "a routine" : "written out" }'
}
run() { "$dtrace" -q "$@" 2>&1; }
echo "-- written out"
how 'this->x = arg0; for (int i = 0; i < 8; i++) this->x = this->x * 31 + i; @[this->x] = count();'
how 'this->x = 0; for (this->i = 8; this->i > 0; this->i -= 2) this->x ^= arg0 + this->i; @[this->x] = count();'
how 'int s = 1; for (int i = 0; i < 4; i++) { if (arg0 == i) break; s += s; } @[s] = count();'
echo "-- too many turns, too long, of unknown length, with one that is"
how 'this->x = arg0; for (int i = 0; i < 100; i++) this->x = this->x * 31 + i; @[this->x] = count();'
how 'for (int i = 0; i < 8; i++) @[i] = count();'
how 'this->x = arg0; for (int i = 0; i < arg1; i++) this->x = this->x * 31 + i; @[this->x] = count();'
how 'this->x = arg0; for (int i = 0; i < 4; i++) this->x += i; for (int i = 0; i < arg1; i++) this->x++; @[this->x] = count();'
echo "-- values"
run -n 'BEGIN { x = 3; for (int i = 0; i < 8; i++) x = x * 31 + i; y = 3; for (int i = 0; i < 8 + x - x; i++) y = y * 31 + i; printf("%d %d\n", x, y); exit(0); }'
run -n 'BEGIN { for (this->k = 9; this->k > 2; this->k -= 3) { if (this->k == 3) break; n++; } printf("%d turns, %d\n", n, this->k); exit(0); }'
run -n 'BEGIN { for (this->k = 5; this->k < 5; this->k++) n++; printf("%d turns, %d\n", n, this->k); exit(0); }'
run -n 'BEGIN { for (int i = 0; i < 5; i++) { if (i == 1) continue; n += i; } printf("%d\n", n); exit(0); }'
echo "-- faults, and the limit of all loops together"
run -n 'BEGIN { for (int i = 0; i < 5; i++) n += 12 / (3 - i); } ERROR { printf("fault %d, %d\n", arg4, n); exit(0); }' | sed 's/ at BPF pc [0-9]*//'
for limit in 8 9; do
	run -x looplimit=$limit -n 'BEGIN { for (int i = 0; i < 4; i++) n++; for (int i = 0; i < 3; i++) n++; printf("all of "); }
		ERROR { printf("fault %d ", arg4); } BEGIN { printf("%d turns\n", n); exit(0); }' | sed 's/ at BPF pc [0-9]*//'
done
