# Others read the notes, too: gdb, bpftrace.
. "$suite/lib.sh"
not_in_guests
for tool in gdb bpftrace; do
	command -v $tool > /dev/null || { echo "no $tool here"; exit 77; }
done
echo 'provider myapp { probe req__start(int, char *); };' > p.d
"$dtrace" -h -s p.d
printf '#include "p.h"\nint main(int argc, char **argv) { MYAPP_REQ_START(argc, argv[0]); return MYAPP_REQ_START_ENABLED(); }\n' > a.c
gcc -O2 -c a.c && "$dtrace" -G -s p.d a.o && gcc a.o p.o -o a
gdb -nx -batch -ex 'info probes stap myapp' ./a 2> /dev/null | awk '$2 == "myapp" { print $1, $2, $3, ($5 != "" ? "semaphore" : "none") }'
gdb -nx -batch -ex 'break -probe-stap myapp:req__start' -ex run -ex 'print $_probe_argc' -ex 'print (int)$_probe_arg0' ./a 2> /dev/null | grep '^\$'
bpftrace -l 'usdt:./a:*'
