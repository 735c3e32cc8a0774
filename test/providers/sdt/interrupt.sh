# Interrupts of devices under their classic names: a handler that starts is completed on
# the same CPU, and says whether the interrupt was its device's (0, 1 or 2).
"$dtrace" -qn 'sdt:::interrupt-start
	{
		running[cpu] = arg0;
		@[probename, arg1 == (uintptr_t)args[0]->handler, arg2 == (uintptr_t)args[0]->dev_id,
		  args[4] == args[0]->irq, strlen(args[0]->name) > 0] = count();
	}
	sdt:::interrupt-complete /running[cpu] && n < 10/
	{
		@[probename, arg0 == running[cpu], arg1 == (uintptr_t)args[0]->handler,
		  args[4] == args[0]->irq, args[3] >= 0 && args[3] <= 2] = count();
		n++;
	}
	tick-10ms /n >= 10/ { exit(0); }
	END { printa("%s %d %d %d %d\n", @); }' > seen &
tracer=$!
# disks interrupt when they have something; in guests, what holds the host's files
while kill -0 $tracer 2> /dev/null; do
	dd if=/dev/zero of=data bs=4k count=1 conv=fsync 2> /dev/null
	find /usr/share/doc -newer data
done
wait $tracer
grep . seen | sort
"$dtrace" -lvn sdt:::interrupt-start | sed -n 's/^\t\targs/args/p'
