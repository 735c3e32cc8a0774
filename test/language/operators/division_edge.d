/* INT64_MIN / -1 does not crash */
BEGIN { m = (int64_t)-9223372036854775807 - 1; d = -1; printf("%d %d\n", m / d, m % d); exit(0); }
