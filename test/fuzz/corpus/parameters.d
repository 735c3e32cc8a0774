--number=0x10 --text mysqld --who 12 --room 2m --min-time 3s --wide --no-color 5 rest
#pragma D usage "[options] PID"
#pragma D parameter number int = -3 "a number"
#pragma D parameter text string = "two words" "a text"
#pragma D parameter who pid = 0 "a process"
#pragma D parameter room size = 64k "a size"
#pragma D parameter min_time time=10ms "a time"
#pragma D parameter wide bool "off"
#pragma D parameter color bool = on "on"
#pragma D parameter probe string = BEGIN "a probe"
#pragma D option bufsize=$room
#pragma D option quiet=$wide
dtrace:::$probe
/$number > 3 && $who/
{
	printf("%d %s %d %d\n", $number, $text, $min_time + 1, $color ? $1 : 0);
	printf("%s %s %s", $$number, $$min_time, $$2);
}
