# Four threads speculate, half of it is committed: all or nothing of each, and nothing twice.
. "$suite/lib.sh"
trace_calls '
#pragma D option nspec=64
syscall::getppid:entry /pid == $1/ { self->spec = speculation(); self->n++; }
syscall::getppid:entry /self->spec/ { speculate(self->spec); printf("entry %d %d\n", tid, self->n); }
syscall::getppid:return /self->spec/ { speculate(self->spec); printf("return %d %d\n", tid, self->n); }
syscall::getppid:return /self->spec && self->n % 2/ { @committed = count(); commit(self->spec); }
syscall::getppid:return /self->spec && self->n % 2 == 0/ { discard(self->spec); }
syscall::getppid:return /self->spec/ { self->spec = 0; @done = count(); }
syscall::getppid:return /pid == $1/ { @all = count(); }
' getppid 2000 4 > result
awk '$1 == "entry" { e[$2 " " $3]++; if ($3 % 2 == 0) bad++ }
$1 == "return" { r[$2 " " $3]++ }
NF == 1 && $1 > 0 { numbers[++m] = $1 }
/failed speculations? \(available/ { busy += $2 }
/drop/ { drops += $2 }
END {
	for (k in e) { n++; if (e[k] != 1 || r[k] != 1) bad++ }
	for (k in r) if (!e[k]) bad++
	print "all:", numbers[3] == 8000 ? "8000" : numbers[3]
	print "printed = committed:", n == numbers[1] ? "yes" : n " of " numbers[1]
	print "some:", (n > 0) ? "yes" : "no"
	print "done + failed:", numbers[2] + busy
	print "wrong:", bad + 0, "drops:", drops + 0
}' result
