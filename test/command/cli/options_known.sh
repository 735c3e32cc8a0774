# Every option of the table is known; nonsense is refused with a reason.
# @anykernel: nothing is loaded
for option in aggsize=1m bufsize=64k strsize=128 switchrate=10hz aggrate=1s bufpolicy=switch nspec=2 \
	specsize=64k stackframes=5 ustackframes=5 dynvarsize=2m cleanrate=101hz temporal=yes statusrate=1s \
	jstackframes=5 jstackstrsize=256 stackindent=4 rawbytes=no flowindent=no quiet=yes version=1.0; do
	"$dtrace" -q -x $option -n 'BEGIN { exit(0); }' > /dev/null || echo "$option failed"
done
"$dtrace" -x nosuch -n 'BEGIN { exit(0); }'; echo $?
"$dtrace" -x bufsize=many -n 'BEGIN { exit(0); }'; echo $?
"$dtrace" -x aggsortkye -n 'BEGIN { exit(0); }'; echo $?
