# -V prints one line and exits 0, without privilege.
"$dtrace" -V; echo $?
