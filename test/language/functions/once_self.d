/* @flags: -q */
/* thread-local variables that a loop in a function called in a loop has set. */
self int x;
int64_t g;
int64_t
work(int64_t n)
{
	for (int i = 0; i < 3; i++) {
		g = g * 3 + n; g = g * 5 - n; g = g * 7 + n; g = g * 9 - n; g = g * 11 + n;
		self->x = n + i;
	}
	return n;
}
BEGIN { trace(self->x); for (int i = 1; i < 3; i++) { work(i); work(i); work(i); work(work(i)); } trace(self->x); }
BEGIN { work(7); work(8); work(work(9)); trace(self->x); exit(0); }
