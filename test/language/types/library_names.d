/* a program's names win over a library's, before it is read and after, and the library's other names still work */
typedef int psinfo_t;
struct lwpsinfo { int mine; };
inline int O_RDONLY = 7;
psinfo_t mine;
struct lwpsinfo yours;

BEGIN
{
	mine = 1;
	yours.mine = 2;
	printf("%d %d %d %d\n", mine, yours.mine, O_RDONLY, O_WRONLY);
	printf("%d %d\n", curpsinfo->pr_pid == pid, curlwpsinfo->pr_lwpid == tid);
}

typedef struct fileinfo { char name; } fileinfo_t;
inline int O_RDWR = 8;
int O_CREAT;

BEGIN
{
	O_CREAT = 9;
	printf("%d %d %d %d\n", sizeof(fileinfo_t), O_RDWR, O_CREAT, O_EXCL);
	exit(0);
}
