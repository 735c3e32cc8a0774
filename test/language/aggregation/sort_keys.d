/* ties are broken by key: integers as unsigned numbers, strings by unsigned bytes */
BEGIN {
	@i[-1] = count(); @i[1] = count(); @i[0x7fffffff] = count(); @i[0] = count();
	@l[-1ll, 0] = count(); @l[1ll, 5] = count(); @l[1ll, -5] = count();
	@c[(char)-2] = count(); @c[(char)2] = count();
	@s["b"] = count(); @s["\377"] = count(); @s["a"] = count(); @s["ab"] = count(); @s[""] = count(); @s["B"] = count();
	exit(0);
}
