# Names of counters: event, mode, count; what cannot be read or counted is no probe.
for name in page_faults-all-10000 faults-user-5000 context_switches-kernel-5000 cpu_clock-all-1000000 \
	page_faults-all-4999 page_faults-5000 page_faults-some-5000 nonsense-all-10000 page_faults-all-0x1-5000 \
	page_faults-all-5000x minor_faults-all-1; do
	"$dtrace" -ln "cpc:::$name" 2>/dev/null | sed 1d | grep -q . && echo "$name" || echo "no $name"
done
# listed ones have fixed ids, and the same with a glob
one=$("$dtrace" -ln 'cpc:::page_faults-all-10000' | sed 1d)
[ -n "$one" ] && [ "$("$dtrace" -ln 'cpc:::page_faults-*' | sed 1d)" = "$one" ] && echo same id
