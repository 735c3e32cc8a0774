# System calls that other systems have, or that the C library no longer makes: who asks
# for one is told what programs call, in an error or at the start of the run.
. "$suite/lib.sh"
not_in_guests
for call in exece exec fork1 forksys rexit open64 xstat pread pwrite lwp_create lwp_park \
	gtime so_socket; do
	echo "$call$("$dtrace" -en syscall::$call:entry 2>&1 | sed -n 's/^ *=/:/p')"
done
start() { "$dtrace" "$@" 2>&1 > /dev/null | grep '^dtrace: syscall'; }
echo "at the start"
start -n 'syscall::open:entry { } syscall::open:return { } syscall::stat:entry { } BEGIN { exit(0); }'
start -n 'syscall::fork:return, syscall::time:entry { } BEGIN { exit(0); }'
# only 32-bit programs have it
start -n 'syscall::mmap2:entry { } BEGIN { exit(0); }'
start -n 'syscall::stat64:entry { } BEGIN { exit(0); }'
echo "not with -q, not if it is known, not of a glob, not of others"
start -qn 'syscall::open:entry { } BEGIN { exit(0); }'
start -n 'syscall::open:entry { } syscall::openat:entry { } BEGIN { exit(0); }'
start -n 'syscall::open*:entry, syscall:::return { } BEGIN { exit(0); }'
start -n 'syscall::read:entry, syscall::creat:entry, syscall::accept:entry { } BEGIN { exit(0); }'
# What the C library makes of its functions.
cat > calls.c <<'C'
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
int main(void)
{
	struct stat st;
	close(open("/dev/null", O_RDONLY));
	stat("/dev/null", &st);
	nanosleep(&(struct timespec){ 0, 1 }, 0);
	if (!fork())
		_exit(0);
	return wait(0) < 0;
}
C
gcc -o calls calls.c
echo "made"
"$dtrace" -qn 'pid$target::main:entry { self->in = 1; }
	syscall::open:entry, syscall::stat:entry, syscall::nanosleep:entry, syscall::fork:entry,
	syscall::openat:entry, syscall::newfstatat:entry, syscall::clock_nanosleep:entry, syscall::clone:entry
	/self->in/ { @[probefunc] = count(); }
	END { printa("%s %@d\n", @); }' -c ./calls | sort
