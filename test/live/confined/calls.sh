# What the confined process tries, and cannot do: files, processes, sockets, BPF, other users, code in memory.
# @anykernel: the filter, not the kernel
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
top=$suite/..
cc -D_GNU_SOURCE -I"$top" -o calls "$test/calls.c" "$top/live/confine.c" -lseccomp || exit 1
./calls < /dev/null
# of dtlive itself: it makes none of these calls
. "$suite/live.sh"
live_start
live_server
grep -c '^Seccomp:.2$' /proc/$server/status
