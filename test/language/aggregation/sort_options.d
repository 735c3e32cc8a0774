/* aggsortkey, aggsortkeypos (cyclic), aggsortrev, aggsortpos, set while tracing */
#pragma D option quiet
BEGIN {
	@a["x", 3, 1] = sum(10); @a["y", 1, 2] = sum(30); @a["z", 2, 3] = sum(20); @a["x", 1, 4] = sum(20);
	@b["x", 3, 1] = sum(4); @b["y", 1, 2] = sum(3); @b["z", 2, 3] = sum(2); @b["x", 1, 4] = sum(1);
	printf("by value\n"); printa("%s %d %d %@d %@d\n", @a, @b);
	setopt("aggsortpos", "1");
	printf("by the second value\n"); printa("%s %d %d %@d %@d\n", @a, @b);
	setopt("aggsortpos", "7");
	printf("no such aggregation: the first\n"); printa("%s %d %d %@d %@d\n", @a, @b);
	setopt("aggsortpos", "0"); setopt("aggsortrev");
	printf("reversed\n"); printa("%s %d %d %@d %@d\n", @a, @b);
	setopt("aggsortkey");
	printf("by key, reversed\n"); printa("%s %d %d %@d %@d\n", @a, @b);
	setopt("aggsortrev", "no");
	printf("by key\n"); printa("%s %d %d %@d %@d\n", @a, @b);
	setopt("aggsortkeypos", "1");
	printf("by the second key, then the third, then the first\n"); printa("%s %d %d %@d %@d\n", @a, @b);
	setopt("aggsortkeypos", "2");
	printf("by the third key\n"); printa("%s %d %d %@d %@d\n", @a, @b);
	exit(0);
}
