# An ordinary user gets one clear message and status 1; -V and -e need no privilege.
cp "$dtrace" ./dtrace; chmod 755 . dtrace
setpriv --reuid 65534 --regid 65534 --clear-groups ./dtrace -n 'BEGIN { exit(0); }'; echo $?
setpriv --reuid 65534 --regid 65534 --clear-groups ./dtrace -V > /dev/null; echo $?
setpriv --reuid 65534 --regid 65534 --clear-groups ./dtrace -en 'BEGIN { exit(0); }'; echo $?
# The types of a system call's arguments do not depend on privilege.
setpriv --reuid 65534 --regid 65534 --clear-groups ./dtrace -lvn syscall::openat:entry | grep 'args\['
setpriv --reuid 65534 --regid 65534 --clear-groups ./dtrace -lvn syscall::getpid:entry | tail -2
setpriv --reuid 65534 --regid 65534 --clear-groups ./dtrace -en 'syscall::read:entry { trace(args[3]); }'; echo $?
