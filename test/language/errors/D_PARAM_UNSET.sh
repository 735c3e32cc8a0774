# A script from a pipe is compiled before it is known to need a parameter.
# @anykernel: nothing is loaded
echo '#pragma D parameter min_time time "time"
BEGIN { trace($min_time); }' | "$dtrace" -xerrtags -es -
echo "status $?"
