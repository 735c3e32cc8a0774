# Kernel variables: a plain one, and those of which every CPU has its own, which
# are read on the CPU of the probe.
if ! grep -q ' __per_cpu_offset$' /proc/kallsyms; then
	echo "this kernel shows no addresses of variables (CONFIG_KALLSYMS_ALL)"
	exit 77
fi
"$dtrace" -qn 'BEGIN { this->n = *(int *)&`nr_threads;
	printf("%s\n", this->n > 1 && this->n < 100000 ? "some threads" : "no threads"); exit(0); }'
# the run queue knows whose it is and what runs: on every CPU
"$dtrace" -qn 'profile-97 { @[cpu == `runqueues.cpu ? "its own" : "another CPU", `runqueues.curr == curthread ||
	`runqueues.curr == 0 ? "what runs" : "something else"] = count(); }
	tick-1s { printa("%s %s\n", @); exit(0); }'
"$dtrace" -qn 'BEGIN { this->rq = (struct rq *)&`runqueues;
	printf("%s\n", this->rq->cpu == cpu ? "by its address" : "another address"); exit(0); }'
