/* precedence as in C, ^^ between && and || */
BEGIN { x = 3; printf("%d %d %d %d\n", 1 + x * 2, (1 + x) * 2, 1 | 2 ^ 3 & x, 1 || 1 ^^ 1 && 0); exit(0); }
