# A D library has no parameters.
# @anykernel: nothing is loaded
mkdir lib
echo '#pragma D parameter min time = 10ms "time"
inline int limit = $min;' > lib/limit.d
"$dtrace" -xerrtags -e -L lib -n 'BEGIN { trace(limit); }'
echo "status $?"
