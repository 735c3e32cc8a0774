# A type of another system is named, with what Linux has in its place.
# @anykernel: nothing is traced
for text in 'BEGIN { trace(((proc_t *)arg0)->p_pid); }' 'BEGIN { x = (kthread_t)arg0; }' 'BEGIN { trace(sizeof (mblk_t)); }' \
    'self cred_t *x; BEGIN { }' 'vnode_t *x; BEGIN { }' 'BEGIN { x = (nosuch_t *)arg0; }'; do
	"$dtrace" -e -n "$text" 2>&1 | tail -1
done
