/* Keys: tuples, integers cast to the first use's type, strings by content, structs. */
struct pair { char tag; int number; };
struct pair p;
BEGIN
{
	a[1, "x"] = 1;
	a[1, "y"] = 2;
	a[2, "x"] = 3;
	printf("%d %d %d %d\n", a[1, "x"], a[1, "y"], a[2, "x"], a[2, "y"]);
	printf("%d %d\n", a[(char)1, "x"], a[(uint64_t)0x100000001, "x"]);
	c[(char)-1] = 4;
	printf("%d %d %d\n", c[-1], c[255], c[1]);
	s = "ke";
	b["key"] = 5;
	b["keyhole"] = 6;
	printf("%d %d %d\n", b["key"], b["keyhole"], b[s]);
	b[execname] = 7;
	printf("%d\n", b[execname]);
	p.tag = 'a'; p.number = 12;
	d[p] = 8;
	p.number++;
	printf("%d", d[p]);
	p.number--;
	printf(" %d\n", d[p]);
	e[curthread->comm] = 9;
	printf("%d\n", e[execname]);
	f[(void *)curthread, pid, tid, probename] = 10;
	printf("%d\n", f[(void *)curthread, pid, tid, "BEGIN"]);
	exit(0);
}
