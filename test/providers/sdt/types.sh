# Types of a record's fields.
"$dtrace" -lvn 'sdt:sched::sched_process_exec, sdt:signal::signal_deliver' | sed 's/^ *[0-9]* //'
