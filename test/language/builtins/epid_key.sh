# Two probes with one clause have two numbers.
"$dtrace" -qn 'tick-10ms, tick-20ms { @[epid] = count(); n++; } tick-10ms /n > 10/ { exit(0); }' | grep -c '[0-9]'
