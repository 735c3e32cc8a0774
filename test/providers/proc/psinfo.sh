# psinfo_t and lwpsinfo_t of a process that has just begun its program.
cat > run.sh <<'X'
env -i FIRST=1 /bin/sleep 0 0
X
"$dtrace" -qn '
	proc:::exec-success /execname == "sleep" && progenyof($target)/
	{
		printf("%s|%s|%d\n", curpsinfo->pr_fname, curpsinfo->pr_psargs, curpsinfo->pr_argc);
		this->argv = (uintptr_t *)copyin(curpsinfo->pr_argv, 32);
		printf("%s %s %s %p\n", copyinstr(this->argv[0]), copyinstr(this->argv[1]),
		    copyinstr(this->argv[2]), this->argv[3]);
		printf("%s\n", copyinstr(*(uintptr_t *)copyin(curpsinfo->pr_envp, 8)));
		printf("%d %d %d %d\n", curpsinfo->pr_pid == pid, curpsinfo->pr_ppid == ppid,
		    curpsinfo->pr_nlwp, curpsinfo->pr_dmodel == PR_MODEL_LP64);
		printf("%d %d %d %d\n", curpsinfo->pr_uid == uid, curpsinfo->pr_euid == uid,
		    curpsinfo->pr_gid == gid, curpsinfo->pr_egid == gid);
		printf("%d %c %d %s %s\n", curlwpsinfo->pr_lwpid == tid, curlwpsinfo->pr_sname,
		    curlwpsinfo->pr_state == SONPROC, curlwpsinfo->pr_clname, curlwpsinfo->pr_name);
		printf("%d %d %d\n", curlwpsinfo->pr_nice, curlwpsinfo->pr_pri,
		    curlwpsinfo->pr_onpro == cpu);
		printf("%d %d\n", curpsinfo->pr_lwp.pr_lwpid == tid,
		    curpsinfo->pr_addr == (uintptr_t)curthread);
		printf("%d %d\n", curpsinfo->pr_size > curpsinfo->pr_rssize,
		    walltimestamp / 1000000000 - curpsinfo->pr_start.tv_sec < 60);
	}' -c 'sh run.sh'
