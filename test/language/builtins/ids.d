/* pid, ppid, execname and friends in BEGIN are those of dtrace */
BEGIN { printf("%d %d %d %d %d\n", pid == $pid, ppid == $ppid, uid == $uid, gid == $gid, tid == pid);
	printf("%s %s:%s:%s:%s %d\n", execname, probeprov, probemod, probefunc, probename, id); exit(0); }
