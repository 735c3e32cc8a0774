/* %p has no 0x */
BEGIN { printf("%p %p\n", 0xdead, (void *)0xbeef); exit(0); }
