/* macro variables and arguments */
/* @args: 42 '"word"' */
BEGIN { printf("%d %s %s %d\n", $1, $2, $$1, $pid == pid); printf("%d %d\n", $projid, $taskid); exit(0); }
