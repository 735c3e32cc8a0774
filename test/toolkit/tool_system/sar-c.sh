# sar-c.d: no less than what a known program does, with all columns.
. "$suite/toolkit.sh"
cat > known.sh <<'Y'
dd if=/dev/zero of=/dev/null bs=1000 count=500 status=none
for i in 1 2 3 4 5; do $1 now getppid 200; done
Y
# lines of one second each: rates are sums
tool sar-c.d 1 -- sh known.sh "$triggers/calls" > all
awk 'NR == 1; NR > 1 { calls += $5; reads += $6; writes += $7; forks += $8; execs += $9; r += $10; w += $11 }
	END { print (calls >= 2000), (reads >= 500), (writes >= 500), (forks >= 6), (execs >= 7), (r >= 500000), (w >= 500000) }' all
