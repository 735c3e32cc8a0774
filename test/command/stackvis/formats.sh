# @anykernel: nothing is traced
# The same stacks in the texts of several tools become the same picture.
stackvis=$(dirname "$dtrace")/stackvis
cat > collapsed << 'END'
prog;prog`main;libc.so.6`read;vmlinux`do_syscall_64;ext4`ext4_read 2
prog;prog`main;prog`parse(char const*, int) 1
kworker/0:1 H;vmlinux`ret_from_fork;vmlinux`worker 1
END
cat > perf << 'END'
# ========
# captured on: today
# ========
#
prog  4711/4712 [001]   53.120345:     250000 cpu-clock:pppH:
	ffffffffc0a1b2c3 ext4_read+0x33 ([ext4])
	ffffffff81a1b2c3 do_syscall_64+0x5c ([kernel.kallsyms])
	    7f2e1a1b2c3d read+0x10 (/usr/lib/x86_64-linux-gnu/libc.so.6)
	    55d0c1a1b2c3 main+0x20 (/usr/bin/prog)

prog  4711/4712 [001]   53.130345:     250000 cpu-clock:pppH:
	ffffffffc0a1b2c9 ext4_read+0x39 ([ext4])
	ffffffff81a1b2c3 do_syscall_64+0x5c ([kernel.kallsyms])
	    7f2e1a1b2c3d read+0x10 (/usr/lib/x86_64-linux-gnu/libc.so.6)
	    55d0c1a1b2c3 main+0x20 (/usr/bin/prog)

kworker/0:1 H    17 [000]   53.140345:     250000 cpu-clock:pppH:
	ffffffff81a1b2c3 worker+0x5c ([kernel.kallsyms])
	ffffffff81a1b2c9 ret_from_fork+0x5c ([kernel.kallsyms])

prog  4711/4712 [001]   53.150345:     250000 cpu-clock:pppH:
	    55d0c1a1b2c3 parse(char const*, int)+0x20 (/usr/bin/prog)
	    55d0c1a1b2c3 main+0x20 (/usr/bin/prog)
END
cat > stap << 'END'
 0xffffffffc0a1b2c3 : ext4_read+0x33/0x100 [ext4]
 0xffffffff81a1b2c3 : do_syscall_64+0x5c/0x90 [kernel]
 0x7f2e1a1b2c3d : read+0x10/0x90 [/usr/lib/x86_64-linux-gnu/libc.so.6]
 0x55d0c1a1b2c3 : main+0x20/0x60 [/usr/bin/prog]
prog
	2

 0x55d0c1a1b2c3 : parse(char const*, int)+0x20/0x30 [/usr/bin/prog]
 0x55d0c1a1b2c3 : main+0x20/0x60 [/usr/bin/prog]
prog
	1
 0xffffffff81a1b2c3 : worker+0x5c/0x90 [kernel]
 0xffffffff81a1b2c9 : ret_from_fork+0x5c/0x90 [kernel] (inexact)
kworker/0:1 H
	1
END
cat > dtrace << 'END'
CPU     ID                    FUNCTION:NAME
  0  35282                         :tick-1s 


              ext4`ext4_read+0x33
              vmlinux`do_syscall_64+0x5c

              libc.so.6`read+0x10
              prog`main+0x20
  prog                                                              2

              vmlinux`worker+0x5c
              vmlinux`ret_from_fork+0x5c

  kworker/0:1 H                                                     1


              prog`parse(char const*, int)+0x20
              prog`main+0x20
  prog                                                              1
END
for format in perf stap dtrace; do
	for out in collapsed flamegraph-svg; do
		"$stackvis" $format $out $format > one && "$stackvis" collapsed $out < collapsed > other
		[ -s one ] && cmp one other && echo "$format $out"
	done
done
# one frame in the line of the sample, without -g; a sample without any
printf '%s\n' 'prog  17 [000]  1.5:  1 cycles:  ffffffff81a1b2c3 native_write_msr+0x4 ([kernel.kallsyms])' \
	'prog  17 [000]  1.6:  1 cycles:  55d0 [unknown] (/tmp/a (deleted))' > plain
"$stackvis" perf collapsed plain

# names have no objects there
cat > bpftrace << 'END'
Attaching 2 probes...
@[
    ext4_read+51
    do_syscall_64+92
, 
    read+16
    main+32
, prog]: 2
@other[prog]: 17
@named[prog, 
    55d0c1a1b2c3 parse(char const*, int)+32 (/usr/bin/prog)
    55d0c1a1b2c9 main+32 (/usr/bin/prog)
]: 1
@histogram[
    main+32
]: 
[1]                    5 |@@@@@@@@|

@[
    0x7f2e1a1b2c3d
, kworker/0:1 H]: 1
@cut[
    main+1
END
"$stackvis" bpftrace collapsed bpftrace
