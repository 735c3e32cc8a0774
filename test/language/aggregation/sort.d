/* aggsortkey, aggsortrev */
#pragma D option aggsortkey
#pragma D option aggsortrev
BEGIN { @["a"] = sum(3); @["b"] = sum(2); @["c"] = sum(1); exit(0); }
