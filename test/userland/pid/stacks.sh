# lib_call_stack.d of a tutorial: who calls what in the C library.
cat > lib_call_stack.d <<'D'
#!/usr/sbin/dtrace -s
#pragma D option quiet
pid$target:$1:$2:entry
{
	printf("%s:%s:%s", probeprov, probemod, probefunc);
	ustack();
}
D
LC_ALL=C "$dtrace" -s lib_call_stack.d -c 'ls /proc/self/task' 'libc' 'str*' > out 2>&1
grep -o '^pid[0-9]*:libc.so.6:str[a-z]*' out | sed 's/pid[0-9]*/pidN/' | sort -u | grep -x -e '.*:strrchr' -e '.*:strlen'
grep -q 'libc.so.6`' out && echo "with stacks"
