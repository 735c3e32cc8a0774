/* Addresses as text: the name of the task, "dtrace", seen as one. */
/* @filter: pc */
BEGIN
{
	this->p = &curthread->comm;
	printf("[%s] [%s]\n", inet_ntoa((ipaddr_t *)this->p), inet_ntop(2, this->p));
	printf("[%s]\n", inet_ntop(10, this->p));
	printf("[%s]\n", inet_ntoa6((struct in6_addr *)this->p));
	printf("[%s]\n", link_ntop(1, this->p));
	printf("[%s]\n", substr(link_ntop(32, this->p), 0, 32));
}
BEGIN { trace(inet_ntop(3, this->p)); }
BEGIN { trace(link_ntop(2, this->p)); }
BEGIN { trace(inet_ntoa((ipaddr_t *)NULL)); }
BEGIN { exit(0); }
ERROR { printf("fault %d\n", arg4); }
