# runocc.d, dispqlen.d: three programs that want one CPU occupy its run queue.
. "$suite/toolkit.sh"
cpu=$(cut -d- -f1 /sys/devices/system/cpu/online | cut -d, -f1)
cat > three.sh <<'Y'
for _ in 1 2 3; do
	taskset -c $1 $2 user 300 &
done
wait
Y
echo "occupied"
tool runocc.d 100 -- sh three.sh $cpu "$triggers/burn" | awk -v cpu=$cpu '/CPU/; $1 == cpu { print ($2 > 0 && $2 <= 100) }'
echo "lengths: two wait while the third one runs"
tool dispqlen.d -- sh three.sh $cpu "$triggers/burn" | awk -v cpu=$cpu '
	/CPU/ { is_ours = $2 == cpu }
	is_ours && /\|/ && $1 == "<" { below += $NF }
	is_ours && /\|/ && $1 >= 2 { two += $NF }
	END { print (two > 0 ? "seen" : "never"), below + 0 }'
