# A long run meets any number of addresses: after 65,536 of them a recording
# starts to count anew, and its replay still has the right name for each.
. "$suite/lib.sh"
. "$suite/lib.sh"

cat > many.d <<'D'
int i, turn;
BEGIN, tick-50ms
/turn < 3/
{
	for (i = 0; i < 30000; i++)
		@[turn, uaddr((uint64_t)(0x100000 + turn * 1000000 + i * 16))] = count();
	printa("%d %A %@d\n", @);
	clear(@);
	trunc(@);
	turn++;
}
tick-50ms
/turn == 3/
{
	exit(0);
}
D
$dtrace -q -x aggsize=64m -x record=run -s many.d > live || exit
$dtrace --replay run > again
cmp live again && echo "same text"
sort -u live | wc -l
