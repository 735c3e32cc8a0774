# curpsinfo and curlwpsinfo: who, and the whole command line with its arguments.
. "$suite/lib.sh"
trace_frames 'syscall::getppid:entry /pid == $1/ {
	printf("%s|%s|%d\n", curpsinfo->pr_psargs, execargs, curpsinfo->pr_pid == pid);
	printf("%s %d %d %d %d\n", curpsinfo->pr_fname, curpsinfo->pr_nlwp, curpsinfo->pr_ppid == ppid,
	    curpsinfo->pr_uid == uid, curpsinfo->pr_dmodel == PR_MODEL_LP64);
	printf("%d %c %s %s %d %d\n", curlwpsinfo->pr_lwpid == tid, curlwpsinfo->pr_sname, curlwpsinfo->pr_clname,
	    curlwpsinfo->pr_name, curlwpsinfo->pr_onpro == cpu, curlwpsinfo->pr_syscall);
	printf("%d %d\n", curpsinfo->pr_start.tv_sec <= walltimestamp / 1000000000,
	    curpsinfo->pr_start.tv_sec > walltimestamp / 1000000000 - 300);
	printf("%d\n", curpsinfo->pr_size > curpsinfo->pr_rssize);
	exit(0); }' '' 1 | sed "s,$triggers/,,g"
