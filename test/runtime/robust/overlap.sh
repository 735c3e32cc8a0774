# A firing that waits for a page of its process keeps its values and its
# scratch memory while others, on the same CPU, run the same program.
. "$suite/lib.sh"
[ -e /proc/sys/vm/unprivileged_userfaultfd ] || skip "this kernel has no userfaultfd"
# events for single places hold a lock of the CPU while their programs run
grep -q uprobe_multi_link /proc/kallsyms || skip "firings do not overlap on this kernel"
trace_trigger "-x strsize=64 -x blockingreads" '
pid$1:late:arrive:entry
{
	this->a = arg0; this->b = arg0 * 3; this->c = arg0 ^ 7; this->d = arg0 + 11;
	this->e = arg0 - 13; this->f = arg0 * arg0;
	this->s = copyinstr(arg1);
	this->s = strjoin("came ", this->s);
	this->right = this->b == 3 * this->a && this->c == (this->a ^ 7) && this->d == this->a + 11 &&
	    this->e == this->a - 13 && this->f == this->a * this->a && this->a == arg0;
}
pid$1:late:arrive:entry /!this->right/ { printf("wrong: %d %s\n", arg0, this->s); }
pid$1:late:arrive:entry { @[this->s] = count(); @sum[this->s] = sum(this->a); }
END { printa("%s %@d %@d\n", @, @sum); }' late 1000 | grep -v '^$'
