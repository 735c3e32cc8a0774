/* quiet trace() prints plain decimals */
BEGIN { trace((char)-1); trace(" "); trace((unsigned char)-1); trace(" "); trace(-3); trace(" ");
	trace((unsigned int)-3); trace(" "); trace((uint64_t)-4); exit(0); }
