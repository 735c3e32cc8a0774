# What BEGIN prints goes to the file of -o, also where it is read before the rest is enabled.
for option in bufpolicy=fill bufpolicy=ring beginfirst quiet; do
	"$dtrace" -q -x $option -o file.$option -n 'BEGIN { printf("begin "); } tick-1ms { printf("tick\n"); exit(0); }'
	tr -d '\n' < file.$option
	echo " $option"
done
