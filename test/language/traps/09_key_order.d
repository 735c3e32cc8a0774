/* Trap 9: ties are ordered by key, as unsigned numbers; strings by their bytes. */
BEGIN { @a[1] = count(); @a[-1] = count(); @a[5] = count(); }
BEGIN { @s["b"] = count(); @s["a"] = count(); @s["ab"] = count(); @s["\377"] = count(); @s[""] = count(); exit(0); }
