# Names of built-in variables are strings: cut at strsize wherever they go.
"$dtrace" -q -x strsize=3 -n 'BEGIN {
	printf("%s %s %s %s\n", execname, threadname, probeprov, probename);
	trace(execname); trace(" "); trace(probename);
	printf(" %d %d\n", strlen(execname), strlen(probename));
	printf("%d %d %d %d\n", execname == "dtr", probename == "BEG", execname == probeprov, probename < "BEGIN");
	self->name = execname; a[probename] = 1; global = probeprov;
	printf("%s %d %s\n", self->name, a["BEG"], global);
	printf("%s\n", strjoin(execname, ""));
	exit(0); }'
# two names, one key
"$dtrace" -q -x strsize=4 -n 'BEGIN { @[probename, "x"] = count(); } END { @[probename, "y"] = count(); }
	tick-10ms /n++ == 0/ { @t[probename] = count(); } tick-11ms /m++ == 0/ { @t[probename] = count(); }
	tick-10ms, tick-11ms /n && m/ { exit(0); } END { printa("%s %s\n", @); printa("%s %@d\n", @t); }'
