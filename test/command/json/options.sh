# aggpct and aggpercpu add to the rows; oformat can be set in the program; other words are refused.
cat > program.d <<'D'
#pragma D option oformat=json
#pragma D option aggpct
#pragma D option aggpercpu
BEGIN { @q = quantize(1, 99); @q = quantize(1000); @c["x"] = count(); exit(0); }
D
"$dtrace" -qs program.d | python3 "$test/check.py" json | sed 's/"cpu": [0-9]*/"cpu": N/g'
"$dtrace" -x oformat=xml -n BEGIN 2>&1 || echo "status $?"
