/* clear keeps keys, trunc removes them */
BEGIN { @a["x"] = count(); @b["x"] = count(); @c[1] = sum(1); @c[2] = sum(2); @c[3] = sum(3);
	clear(@a); trunc(@b); trunc(@c, 2); exit(0); }
