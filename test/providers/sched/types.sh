# Arguments of sched, as users see them.
"$dtrace" -lvn 'sched:::off-cpu, sched:::enqueue, sched:::wakeup' | sed 's/^ *[0-9]* //'
