# Depths and callers agree with the stacks.
. "$suite/lib.sh"
trace_frames 'syscall::getppid:entry /pid == $1/ { printf("%d %A", ustackdepth > 3, usym(ucaller));
	printf("\ndepth %d\n", stackdepth); printf("%a\n", caller); stack(30); exit(0); }' > all
sed -n 1p all
depth=$(sed -n 's/^depth //p' all)
frames=$(sed '1,/^depth/d' all | grep -c '^ ')
[ "$depth" = "$frames" ] && echo "depth is the number of frames" || { echo "$depth, $frames"; cat all; }
caller=$(sed -n '/^depth/{n;p}' all)
second=$(sed '1,/^depth/d' all | grep '^ ' | sed -n '2s/^ *//p')
[ "$caller" = "$second" ] && echo "caller is the second frame" || { echo "$caller, $second"; cat all; }

# Where the kernel cannot walk (in the middle of exec), the depth is 0.
"$dtrace" -qn 'uint32_t deepest;
	rawtp:x86_fpu::x86_fpu_regs_deactivated /pid == $target/ {
	fired = 1; deepest = stackdepth > deepest ? stackdepth : deepest; }
	END { printf("%s %s", fired ? "fired" : "missed", deepest < 1024 ? "depth" : "no depth"); }' -c 'env true'
