# alloca() and copyin() take sizes that are known when they run, 4 KB together in each
# clause; a byte behind copyin()'s may be written; bcopy() reads only what was taken.
run() { "$dtrace" -q "$@" 2>&1 | sed 's/ at BPF.*//; s/(0x[0-9a-f]*)/(ADDRESS)/; s/probe specifier .*: in/probe specifier: in/' | grep -v '^ *|'; }
stop='ERROR { exit(1); }'
run -n '
BEGIN
{
	this->n = 1000 + pid % 2;
	this->a = (char *)alloca(this->n);
	this->a[this->n - 1] = 66;
	this->zeros = this->a[0] + this->a[500] + this->a[this->n - 2];
	this->b = (char *)alloca(this->n * 2);
	this->b[this->n * 2 - 1] = 67;
	printf("%d %d %d\n", this->a[this->n - 1], this->zeros, this->b[this->n * 2 - 1]);
}
/* given back: what was there is zeroed again */
BEGIN
{
	this->n = 4096;
	this->a = (char *)alloca(this->n);
	printf("%d\n", this->a[4095] + this->a[999] + this->a[1000] + this->a[2999]);
}
BEGIN
{
	this->n = 16;
	this->page = uregs[R_SP] & ~4095;
	this->c = (char *)copyin(this->page, this->n);
	this->c[this->n] = 0;
	this->n = 3000 + pid % 2;
	this->d = (char *)copyin(this->page, this->n);
	this->d[this->n] = 68;
	printf("%d %d %d\n", this->c[16], this->d[this->n], this->c[3] == this->d[3]);
	exit(0);
}'"$stop"
# past the last block
run -n 'BEGIN { this->d = alloca(16); this->s = alloca(8); bcopy(this->s, this->d, 16); exit(0); }'"$stop"
run -n 'BEGIN { this->d = alloca(16); bcopy(alloca(8), this->d, 16); exit(0); }'
run -n 'BEGIN { this->d = alloca(8); this->n = 4090; this->s = alloca(this->n); exit(0); }'"$stop"
run -x scratchsize=64k -n 'BEGIN { this->n = 65536; this->s = (char *)alloca(this->n); this->s[65535] = 7; printf("%d\n", this->s[65535]); exit(0); }'"$stop"
