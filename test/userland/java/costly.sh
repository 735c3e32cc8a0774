# Whoever asks for hotspot's probes of methods, which fire for each call of each method, is
# told of the cheap ones; its other probes are no reason.
. "$suite/java.sh"
start_java Methods
for probe in method-entry method-return 'method-e*' gc-begin; do
	"$dtrace" -n "hotspot\$target:::$probe { } tick-10ms { exit(0); }" -p $target 2>&1 | grep -E '^dtrace: (desc|hot)' | sed "s/^dtrace: //; s/; java.target.*/; .../" | sort -u
done
