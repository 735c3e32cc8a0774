# A long run meets any number of addresses: after 65,536 of them a recording
# starts to count anew, and its replay still has the right name for each.
# Few turns in a firing: a slow machine must not reach the loop limit.
. "$suite/lib.sh"

cat > many.d <<'D'
int i, next, shown;
tick-5ms
/next < 90000/
{
	next += 500;
	for (; i < next; i++)
		@[i / 30000, uaddr((uint64_t)(0x100000 + i * 16))] = count();
}
tick-5ms
/next % 30000 == 0 && next > shown/
{
	printa("%d %A %@d\n", @);
	clear(@);
	trunc(@);
	shown = next;
}
tick-5ms
/shown == 90000/
{
	exit(0);
}
D
$dtrace -q -x aggsize=64m -x record=run -s many.d > live || exit
$dtrace --replay run > again
cmp live again && echo "same text"
sort -u live | wc -l
