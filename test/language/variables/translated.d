/* curpsinfo, curlwpsinfo and curcpu can be kept in any kind of variable. */
BEGIN
{
	this->p = curpsinfo;
	self->l = curlwpsinfo;
	c = curcpu;
	printf("%s %d %d\n", this->p->pr_fname, this->p->pr_pid == pid, this->p->pr_lwp.pr_lwpid == tid);
	printf("%d %d\n", c->cpu_id == cpu, this->p != NULL);
}
BEGIN
{
	printf("%s %d\n", self->l->pr_name, self->l->pr_lwpid == tid);
	self->l = NULL;
	printf("%d\n", self->l == NULL);
	exit(0);
}
