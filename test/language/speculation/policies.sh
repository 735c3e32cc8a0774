# Commits work with every buffer policy; with ring, the newest stay.  (No speculation is used twice, so that
# nothing depends on when the consumer cleans up.)
for policy in switch fill ring; do
	"$dtrace" -q -b 64k -x bufpolicy=$policy -x nspec=8 -n '
		BEGIN { i = 0; s = 0; }
		tick-50ms { s = speculation(); }
		tick-50ms { speculate(s); printf("round %d: ", i); }
		tick-50ms { speculate(s); printf("%s\n", probename); }
		tick-50ms /i % 2/ { discard(s); }
		tick-50ms /!(i % 2)/ { commit(s); }
		tick-50ms /++i == 8/ { exit(0); }
		END { printf("%s done\n", $$1); }' $policy
done
"$dtrace" -q -b 4k -x bufpolicy=ring -x nspec=400 -x specsize=4k -n '
	BEGIN { i = 0; s = 0; }
	tick-2ms { s = speculation(); }
	tick-2ms { speculate(s); printf("%d ", i); }
	tick-2ms { commit(s); }
	tick-2ms /++i == 400/ { exit(0); }' | awk '{ print "last " $NF; print (NF < 90 && NF > 50 ? "as many as fit" : NF) }' | head -2
