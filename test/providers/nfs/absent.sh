# Without the module nfsd there are no probes, and it is said which is missing.
. "$suite/lib.sh"
[ -z "$DTRACE_TEST_GUEST" ] || skip "nfs/serve.sh shows it in guests, before it loads the module"
[ -e /sys/module/nfsd ] && skip "the module nfsd is loaded"
"$dtrace" -n 'nfsv3:::op-read-start' 2>&1 | grep = | sed 's/;.*//'
"$dtrace" -n 'nfsv4:::compound-done' 2>&1 | grep = | sed 's/;.*//'
"$dtrace" -l -P nfsv3 2>/dev/null | wc -l
"$dtrace" --check | grep -A1 '^nfsv' | tr -s ' '
