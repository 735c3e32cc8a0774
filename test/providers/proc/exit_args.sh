# A process that ends still shows its command line.
cat > run.sh <<'X'
/bin/sleep 0 0.0 00
/bin/sh -c 'kill -9 $$; :' one two
:
X
"$dtrace" -qn '
	proc:::exit /progenyof($target) && pid != $target/
	{
		printf("%s: %s\n", curpsinfo->pr_psargs, args[0] == CLD_EXITED ? "exited" : "killed");
	}' -c 'sh run.sh' 2>/dev/null
