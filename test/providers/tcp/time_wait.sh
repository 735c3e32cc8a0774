# The end that closes first waits for late segments: seen where functions can be.
. "$suite/net.sh"
own_network 17
need_probe fbt::tcp_time_wait:entry
start_dtrace -n 'tcp:::state-change /args[3]->tcps_lport == 4171 && args[3]->tcps_state == TCP_STATE_TIME_WAIT/ {
	printf("%s -> %s\n", tcp_state_string[args[5]->tcps_state], tcp_state_string[args[3]->tcps_state]); }'
talk tcp $in4 1 100
stop_dtrace
