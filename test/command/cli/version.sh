# -V prints one line and exits 0, without privilege; -v adds three.
"$dtrace" -V; echo $?
"$dtrace" -V -v | sed 's/ID: \([0-9a-f]\{40\}\|unknown\)$/ID: REVISION/;s/Linux [0-9.]*$/Linux VERSION/'
