# proc:::create: one firing for every process that is made, threads aside; both
# sides are named.
cat > run.sh <<'X'
for i in 1 2 3 4 5; do /bin/true; done
X
"$dtrace" -qn '
	proc:::create /pid == $target/
	{
		@[execname, args[0]->pr_fname, args[0]->pr_ppid == $target,
		    args[0]->pr_pid > 1, args[0]->pr_nlwp] = count();
	}' -c 'sh run.sh'
