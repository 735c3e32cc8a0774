# The CPU as processor_info(2) would tell it, and a process's part of the memory.
"$dtrace" -qn 'BEGIN
{
	printf("%d %s, %s\n", curcpu->cpu_info.pi_state == P_ONLINE, curcpu->cpu_info.pi_processor_type,
	    curcpu->cpu_info.pi_fputypes);
	printf("clock %d\n", curcpu->cpu_info.pi_clock > 0 && curcpu->cpu_info.pi_clock < 20000);
	printf("memory %d %d\n", curpsinfo->pr_pctmem, curpsinfo->pr_rssize);
	exit(0);
}' | awk '/^memory/ {
	while ((getline line < "/proc/meminfo") > 0)
		if (split(line, word, " ") && word[1] == "MemTotal:")
			part = int($3 * 32768 / word[2])
	print "memory", ($3 > 0), ($2 - part <= 1 && part - $2 <= 1)
	next
}
{ print }'
