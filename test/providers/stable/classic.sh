# Probes of other systems that Linux has nothing for: who asks is told why.
for probe in sched:::schedctl-yield sysinfo:::lread sysinfo:::ufsiget fsinfo:::addmap kinst::vfs_read:4 \
	cpc:::cpu_clock-all-4000 cpc:::nonsense-all-10000; do
	"$dtrace" -en $probe 2>&1 | sed -n 's/^ *= //p'
done
# No probe is counted twice: tcp has several ways to feed one.
"$dtrace" --check | awk '$1 == "tcp" { $1 = $1; print }'
