# lockstat -Ig counts callers, too; -n says how much is kept.
# @anykernel: what differs between kernels is in interrupt.sh
lockstat=$(dirname "$dtrace")/lockstat
n=40000
busy='i=0; while [ $i -lt '$n' ]; do i=$((i+1)); read x < /dev/null; done'
"$lockstat" -I -kgWw -i 997 sh -c "$busy" > out
grep '^Count' out
"$lockstat" -I -kgW -i 997 -p sh -c "$busy" > out
# all that system calls do is their entry's work
awk '$4 ~ /^do_syscall_64/ { all += $2 } $4 ~ /^(ksys_read|vfs_read)/ && $2 > part { part = $2 } END { print "generated:", (all >= part && all > 0) }' out
# more events than there is room for
"$lockstat" -I -T -n 1 -p -i 997 sh -c "$busy" 2>&1 | sed 's/ [0-9][0-9]* events/ N events/; s/^ *56 .*/event 56/'
"$lockstat" -I -V -o file true && grep -c '^profile-97$' file
