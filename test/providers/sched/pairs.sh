# Every off-cpu of a thread is followed by an on-cpu of the same, in turn, and
# it either sleeps or is preempted when it goes.
. "$suite/lib.sh"
need_probe sched:::on-cpu
"$dtrace" -qn '
	sched:::off-cpu /pid == $target/ { off++; wrong += self->off; self->off = 1; }
	sched:::sleep /pid == $target/ { went++; }
	sched:::preempt /pid == $target/ { went++; }
	sched:::on-cpu /pid == $target/ { on++; wrong += first++ && !self->off; self->off = 0; }
	proc:::exit /pid == $target/
	{
		printf("%s, off twice or on twice: %d\n",
		    on - off == 0 || on - off == 1 ? "as many on as off" : "unequal", wrong);
		printf("%s\n", off == went ? "all slept or were preempted" : "some went without a reason");
	}' -c "$triggers/napper"
