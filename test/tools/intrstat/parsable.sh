# For other programs: a line for each interrupt of each CPU, and the time.
# @anykernel: the tables are in table.sh
intrstat=$(dirname "$dtrace")/intrstat
"$intrstat" -p -T u 1 1 > out
awk 'NR == 1 { print (NF == 1 && $1 > 1600000000) ? "time" : $0; next }
	NF == 4 && $1 ~ /#/ && $2 ~ /^[0-9]+$/ && $3 > 0 && $4 ~ /^[0-9]+[.][0-9]$/ { good++; next }
	{ print }
	END { print (good > 0) ? "lines" : "none" }' out
