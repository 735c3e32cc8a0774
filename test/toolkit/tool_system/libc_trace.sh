# libc_trace: entries and returns of a library function that is called twice.
# @anykernel: thousands of user probes take minutes on an emulated machine
. "$suite/toolkit.sh"
"$dtrace" -s "$suite/../toolkit/libc_trace" -c "$triggers/calls now open 2" > all 2> err
grep -o '[-<][->] snprintf\>' all
grep -c 'matched [0-9]* probes' err
