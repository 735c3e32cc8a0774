# Each type of parameter: its default, both ways to give it, $NAME and $$NAME.
cat > types.d <<END
#!$dtrace -qs
#pragma D parameter number int = -3 "a number"
#pragma D parameter text string = "two words" "a text"
#pragma D parameter who pid = 0 "a process"
#pragma D parameter room size = 64k "a size"
#pragma D parameter min_time time=10ms "a time"
#pragma D parameter wide bool "off"
#pragma D parameter color bool = on "on"
BEGIN
{
	printf("%d %s %d %d %d %d %d\n", \$number, \$text, \$who, \$room, \$min_time, \$wide, \$color);
	printf("%s %s %s %s %s %s %s\n", \$\$number, \$\$text, \$\$who, \$\$room, \$\$min_time, \$\$wide, \$\$color);
	/* strings are not looked into, as with other macros */
	printf("\$number \$1\n");
	exit(\$wide ? 3 : 0);
}
END
chmod +x types.d
run() { echo "$*:"; ./types.d "$@"; echo "status $?"; }
run
run --number 0x10 --text mysqld --who 12 --room 2m --min_time 3s --wide --no-color
run --number=-1 --text=a=b --who=0 --room=1 --min-time=5min --wide=no --color=false
# the next word is the value, whatever it looks like; the last one counts
run --text --wide --number 1 --number 2
run --text= --wide --no-wide
# a number is a number, a string a string
"$dtrace" -qn 'BEGIN { printf("%d %d %s\n", $min_time + 1, sizeof ($min_time), strjoin($text, "!")); }' -s types.d --min_time=1h --text 12 | head -1
