/* A provider as a small project has it. */
provider myapp {
	probe req__start(int, char *);
	probe req__done(int id, char *text, uint64_t length);
	probe idle();
};
