/* ?: evaluates one branch; strings too */
BEGIN { x = 5; printf("%s %s %d\n", x > 3 ? "big" : "small", x > 9 ? "big" : "small", x ? 1 : 2); exit(0); }
