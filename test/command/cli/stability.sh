# -v: the stability report.
"$dtrace" -ve -n 'BEGIN { trace(pid); }'
