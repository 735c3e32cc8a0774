# copyin(), copyinto() and copyinstr(): user memory in scratch memory.
$dtrace -qn 'syscall::write:entry /pid == $1 && arg2 == 6/ {
	this->p = (char *)copyin(arg1, 5);
	printf("%c%c [%s] %d\n", this->p[0], this->p[3], stringof(this->p), *(int *)copyin(arg1, 4));
	this->n = arg2;
	tracemem(copyin(arg1, this->n), 8, this->n);
	copyinto(arg1 + 3, 2, this->p);
	printf("[%s] [%s] [%s]\n", stringof(this->p), copyinstr(arg1, 3), copyinstr(arg1, this->n - 2));
	exit(0); }' $$ > out 2>&1 &
tracer=$!
while kill -0 $tracer 2>/dev/null; do
	echo hello > written
	sleep 0.05
done
wait $tracer
cat out
