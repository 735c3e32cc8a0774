/* widths and signs of trace()d integers, not quiet */
/* @flags:  */
BEGIN { trace((char)-1); trace((unsigned char)-1); trace((short)-2); trace((unsigned short)-2);
	trace(-3); trace((unsigned int)-3); trace((int64_t)-4); trace((uint64_t)-4); exit(0); }
