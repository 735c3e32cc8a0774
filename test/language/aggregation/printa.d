/* printa with and without a format */
BEGIN { @a["x", 1] = count(); @a["y", 2] = count(); @a["y", 2] = count();
	printa("%s/%d=%@d\n", @a); printa(@a); exit(0); }
