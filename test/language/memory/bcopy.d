/* bcopy(): kernel or scratch memory to scratch memory. */
BEGIN
{
	this->p = (char *)alloca(32);
	bcopy(curthread->comm, this->p, 16);
	printf("%s %d\n", stringof(this->p), stringof(this->p) == execname);
	this->n = 3;
	bcopy(this->p, this->p + 16, this->n);
	printf("[%s]\n", stringof(this->p + 16));
	bcopy(&curthread->pid, this->p, 4);
	printf("%d\n", *(int *)this->p == tid);
	exit(0);
}
