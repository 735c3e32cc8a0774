/* kernel structures through curthread */
/* @needs: btf */
BEGIN { printf("%d %d %s\n", curthread->pid == tid, curthread->real_parent->tgid == ppid, stringof(curthread->comm)); exit(0); }
