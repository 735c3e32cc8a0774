/* normalize divides what is printed */
BEGIN { @a["x"] = sum(1000); normalize(@a, 10); printa(@a); denormalize(@a); printa(@a); exit(0); }
