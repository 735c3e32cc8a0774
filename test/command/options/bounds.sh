# Every number, size and time has a range: what is outside is refused, with the range in the message.
for setting in stackindent=1001 stackindent=2000000000 stackindent=-1 strsize=0 strsize=1 strsize=1048577 strsize=4g \
	nspec=1025 scratchsize=2m unwindsize=1g deadman=1ns deadman=366d buflimit=101 bufsize=65t aggsize=1000000t \
	dynvarsize=8000000t bufsize=0 aggsize=7 dynvarsize=7 aggrate=366d switchrate=100000d stackframes=4294967296 looplimit=0 looplimit=8388609; do
	"$dtrace" -x $setting -e -n BEGIN 2>&1
done
for setting in stackindent=1000 strsize=2 strsize=1m bufsize=1 aggsize=8 dynvarsize=8 nspec=1024 scratchsize=1m unwindsize=256m deadman=0 deadman=100ms \
	buflimit=100 bufsize=64t aggrate=365d looplimit=1 looplimit=8388608; do
	"$dtrace" -x $setting -e -n BEGIN || echo "$setting refused"
done
printf '#pragma D option stackindent=5000\nBEGIN { exit(0); }\n' > x.d
"$dtrace" -e -s x.d 2>&1
DTRACE_OPT_STRSIZE=4g "$dtrace" -qn 'BEGIN { exit(0); }' 2>&1
"$dtrace" -qn 'BEGIN { setopt("stackindent", "2000000000"); setopt("aggsortpos", "x"); stack(); exit(0); }' 2>&1 | sed '/`/d'
# by whatever way
"$dtrace" -b 0 -e -n BEGIN 2>&1
printf '#pragma D option strsize=1\nBEGIN { exit(0); }\n' > x.d
"$dtrace" -e -s x.d 2>&1
"$dtrace" -qn 'BEGIN { setopt("aggsize", "0"); exit(0); }' 2>&1
# a size is enough for one element, or the program is not enabled
program='BEGIN { a[1] = 1; @["abc"] = count(); exit(0); }'
"$dtrace" -x dynvarsize=15 -qn "$program" 2>&1
"$dtrace" -x aggsize=8 -qn "$program" 2>&1
"$dtrace" -x dynvarsize=16 -x aggsize=16 -qn "$program" 2>&1
# the largest buffers that are accepted can be used by all that writes to them
"$dtrace" -x bufsize=1t -x quietresize -qn 'BEGIN { ustack(1); exit(0); }' 2>&1 | sed 's/  *\(.*\)`.*/\1/'
"$dtrace" -x help | grep -E '^(stackindent|bufpolicy|syslibdir) '
