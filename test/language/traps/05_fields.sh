# Trap 5: fields are filled from the right; empty ones match all.
for probe in BEGIN :BEGIN ::BEGIN dtrace:::BEGIN dtrace:::BEG'*' 'd?race::*:BEGIN' getppid:entry vmlinux:getppid:entry syscall::getppid: ::getppid:; do
	echo "$probe: $("$dtrace" -ln "$probe" | tail -n +2 | awk '{ print $2 ":" $(NF - 1) ":" $NF }' | sed 's/^dtrace:.*:/dtrace:::/' | tr '\n' ' ')"
done
