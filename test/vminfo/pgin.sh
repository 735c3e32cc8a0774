# Three times 64 KB are read from a disk: three requests, 48 pages.
. "$test/../lib.sh"
own_disk 1M
"$dtrace" -qn '
	vminfo:::pgin, vminfo:::pgpgin /pid == $target/ { @[probename] = sum(arg0); }
	END { printa("%s %@d\n", @); }' -c "dd if=$loop of=/dev/null bs=64k count=3 iflag=direct status=none"
