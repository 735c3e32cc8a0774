# Without the module of the target there are no probes, and it is said which is
# missing.
. "$suite/lib.sh"
[ -z "$DTRACE_TEST_GUEST" ] || skip "iscsi/target.sh shows it in guests, before it loads the module"
[ -e /sys/module/iscsi_target_mod ] && skip "the module iscsi_target_mod is loaded"
"$dtrace" -n 'iscsi:::scsi-command' 2>&1 | grep = | sed 's/;.*//'
"$dtrace" -l -P iscsi 2>/dev/null | wc -l
"$dtrace" --check | grep '^iscsi'
