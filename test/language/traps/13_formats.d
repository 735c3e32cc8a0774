/* Trap 13: %p has no 0x; %S shows the end; %.0s has no precision. */
BEGIN { printf("%p %S [%.0s] [%.2s]\n", 0x1234, "a\tb", "all of it", "cut"); exit(0); }
