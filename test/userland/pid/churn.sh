# A page that is missing is brought in also while other threads change the mappings of the process, each time.
. "$suite/lib.sh"
trace_trigger "" '
pid$1:churn:take:entry { @[copyinstr(arg0)] = count(); }
ERROR { @["fault"] = count(); }
END { printa("%s %@d\n", @); }' churn 100 2>&1 | grep -v '^$'
