# Nothing is lost: 4 threads, 5000 firings each of two probes.
. "$suite/lib.sh"
trace_trigger "" 'sites$1:::wide, sites$1:::guarded { @[probename] = count(); }' sites 5000 4 | grep -v '^$'
