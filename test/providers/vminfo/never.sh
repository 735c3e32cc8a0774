# A script with the classic probes that Linux has nothing for runs; -lv says that they
# never fire, and why.
"$dtrace" -n 'vminfo:::hat_fault, vminfo:::softlock, vminfo:::rev, vminfo:::pgfrec, vminfo:::execfree,
	vminfo:::execpgin, vminfo:::execpgout, vminfo:::anonfree, vminfo:::fsfree { @[probename] = sum(arg0); }
	vminfo:::as_fault /pid == $target/ { faults++; } END { trace(faults ? "traced" : "not traced"); }' -qc /bin/true 2>&1
"$dtrace" -lvn vminfo:::softlock | sed -n '/Argument Types/,$p'
# others say nothing
"$dtrace" -lvn vminfo:::as_fault | sed -n '/Argument Types/,$p'
