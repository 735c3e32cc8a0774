/* Records: formats, values, bytes, probes' names; the empty clause; a fault. */
struct point { short x; char name[6]; };
struct point p;
BEGIN
{
	p.x = 7; p.name[0] = 'a';
	printf("%d %5u|%-8s|%'d %x %c %Y %% %i %.2s\n", -3, 4, "text", 1234567, 255, 'c', (uint64_t)0, 5, "cut");
	printf("%*d %s %s\n", 6, 42, probename, execname);
	trace(17); trace("literal"); trace(p); trace((char)-3);
	tracemem(p.name, 6); tracemem(curthread, 32, 20);
	if (pid > 0) { printf("under if\n"); } else { printf("never\n"); }
}
BEGIN {}
BEGIN { trace(*(int *)8); }
BEGIN { print(p); print(curthread->comm); print(3); exit(5); }
END { printf("end %d\n", 3); }
