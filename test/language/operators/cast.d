/* casts truncate and extend */
BEGIN { x = 0x1ff; printf("%d %d %d %d\n", (char)x, (unsigned char)x, (short)0x18000, (int)0x1ffffffff); exit(0); }
