# doc/synthetic.md: its program, its provider and its commands give what it says.
. "$suite/synthetic.sh"
# each command, with what follows it up to an empty line
awk '/^    # dtrace .*-qc/ { n++; sub(/^    # /, ""); print > ("command" n); on = 1; next }
     !/^    / { on = 0 } on { sub(/^    /, ""); print > ("said" n) }' "$page"
for n in 1 2; do
	sed "s|^dtrace|\"$dtrace\"|" command$n > run
	sh ./run 2> err | grep -v 'buys\|^$' > got
	cat err
	diff -b said$n got > differ && echo "as it says" || cat differ
done
open_shop Ada
"$dtrace" -L lib -ln "shop$shop:::" | awk '{ print ($2 == "PROVIDER" || $2 == "shop'$shop'"), $3, $4, $5 }'
close_shops $shop
