# Strings of every capacity, from 2 characters to 64 KB: variables, comparison,
# length, joining, records, keys.  Loops over them must verify at any size.
script='
BEGIN
{
	g = "abcdefghijklmnopqrstuvwxyz";
	this->t = g;
	h = strjoin(g, this->t);
	printf("%d %d %d [%s] ", strlen(g), g == this->t, h > g, h);
	printf("[%s] %d\n", toupper(substr(h, 3, 5)), index(h, "h", 8));
	@[h] = count();
}
BEGIN { exit(0); }
END { printa("%s %@d\n", @); }'
for size in 2 7 8 9 16 17 255 256 257 1016 1024 1025 8192 40000 65536; do
	printf '%s: ' $size
	$dtrace -q -x strsize=$size -n "$script"
done
for size in 2 8 256 1024 8192 32768; do
	printf 'self %s: ' $size
	$dtrace -q -x strsize=$size -n '
	BEGIN { self->s = "abcdefghi"; this->t = strjoin(self->s, "jkl"); self->s = this->t; a[self->s] = 3;
		printf("%s %d %d %d\n", self->s, strlen(self->s), self->s == this->t, a[this->t]); exit(0); }'
done
