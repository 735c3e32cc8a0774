int zero;
int64_t work(int64_t x)
{
	int64_t sum = 0;

	for (int i = 0; i < x; i++) {
		if (i % 3 == 0)
			continue;
		sum += i * x - (i >> 1) + (x ^ i) % 7;
		if (sum > 1000)
			return -1;
	}
	if (x == 4)
		sum /= zero;
	return sum + (x << 2) - (sum & 15) + (sum > 100 ? x : -x);
}
BEGIN { printf("%d %d %d", work(1), work(work(2) % 5), work(3)); }
BEGIN { x = work(4) + work(work(work(1))); trace(x); }
BEGIN { for (int k = 3; k < 6; k++) printf("%d", work(k) + work(k + 1)); }
BEGIN { @[work(2)] = count(); this->y = work(3); trace(this->y); }
ERROR { printf("%d %d", arg2, arg4); trace(work(1)); }
END { trace(work(5)); exit(0); }
