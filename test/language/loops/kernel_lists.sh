# Lists of the kernel: the children of a process, its open files, the queue of a socket.
cat > walked.py <<'P'
import ctypes, os, socket
reader, writer = os.pipe()
children = []
for i in range(3):
    children.append(os.fork())
    if not children[i]:
        os.close(writer)
        os.read(reader, 1)      # until the parent ends
        os._exit(0)
left, right = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
for size in 10, 200, 3000:
    left.send(b"x" * size)
libc = ctypes.CDLL(None)
with open("expected", "w") as f:
    for pid in children:
        print("child", pid, file=f)
nfiles = len(os.listdir("/proc/self/fd")) - 1   # without that directory
with open("expected", "a") as f:
    print("files", nfiles, file=f)
    for size in 10, 200, 3000:
        print("datagram of", size, "bytes", file=f)
libc.getpriority(0x1234, right.fileno())
P
"$dtrace" -q -n '
	syscall::getpriority:entry /pid == $target && arg0 == 0x1234/
	{
		struct list_head *head = &curthread->children;
		int nopen = 0;

		for (struct list_head *l = head->next; l != head; l = l->next) {
			struct task_struct *child = (struct task_struct *)
			    ((uintptr_t)l - offsetof(struct task_struct, sibling));

			printf("child %d\n", child->pid);
		}

		struct fdtable *table = curthread->files->fdt;

		for (int i = 0; i < table->max_fds; i++)
			if (table->fd[i] != NULL)
				nopen++;
		printf("files %d\n", nopen);

		struct file *file = table->fd[arg1];
		struct sock *sock = ((struct socket *)file->private_data)->sk;
		struct sk_buff_head *queue = &sock->sk_receive_queue;

		for (struct sk_buff *b = (struct sk_buff *)queue->next;
		    b != (struct sk_buff *)queue; b = b->next)
			printf("datagram of %d bytes\n", b->len);
	}' -c 'python3 walked.py' > out
grep . out | diff expected - && echo "children, files and datagrams: as expected"
