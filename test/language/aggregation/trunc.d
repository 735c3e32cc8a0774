/* trunc: n largest, n smallest, none; ties by key; normalization does not matter */
#pragma D option quiet
BEGIN {
	@a[1] = sum(10); @a[2] = sum(20); @a[3] = sum(30); @a[4] = sum(40);
	@b[1] = sum(10); @b[2] = sum(20); @b[3] = sum(30); @b[4] = sum(40);
	@c[1] = sum(10); @d[1] = sum(10); @d[2] = sum(20);
	@e["a"] = count(); @e["b"] = count(); @e["c"] = count();
	@f["a"] = count(); @f["b"] = count(); @f["c"] = count();
	@g = count();
	trunc(@a, 2); printa("a %d %@d\n", @a); trunc(@a, 9); printa("a %d %@d\n", @a);
	trunc(@b, -2); printa("b %d %@d\n", @b); trunc(@b, -9); printa("b %d %@d\n", @b);
	trunc(@c, 0); printa("c %d %@d\n", @c);
	trunc(@d); printa("d %d %@d\n", @d);
	trunc(@e, 1); printa("e %s\n", @e); trunc(@f, -1); printa("f %s\n", @f);
	trunc(@g, 1); printa("g %@d\n", @g); trunc(@g); printa("g %@d\n", @g);
	printa(@d);
	exit(0);
}
