provider sites {
	probe wide(long, int);
	probe memory(char *);
};
