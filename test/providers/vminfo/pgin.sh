# Three times 64 KB are read from a disk: three requests, 48 pages.  Only what
# its calls of read(2) ask for counts: where memory is short, a page of the
# program itself may have to come from a disk as well.
. "$suite/lib.sh"
own_disk 1M
"$dtrace" -qn '
	syscall::read:entry /pid == $target && arg2 == 65536/ { self->reads = 1; }
	vminfo:::pgin, vminfo:::pgpgin /self->reads/ { @[probename] = sum(arg0); }
	syscall::read:return /self->reads/ { self->reads = 0; }
	END { printa("%s %@d\n", @); }' -c "dd if=$loop of=/dev/null bs=64k count=3 iflag=direct status=none"
