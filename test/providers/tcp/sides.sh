# With what numbers each side of a connection began, as the handshake said
# them, and which side it is; from the handshake to the end.
. "$suite/net.sh"
own_network 19
cat > sides.d <<'D'
tcp:::connect-request /args[4]->tcp_dport == 4190/ { client = args[4]->tcp_seq; }
tcp:::send /args[4]->tcp_sport == 4190 && (args[4]->tcp_flags & TH_SYN)/ { server = args[4]->tcp_seq; }
tcp:::send, tcp:::receive
/server && (args[3]->tcps_lport == 4190 || args[3]->tcps_rport == 4190) && args[3]->tcps_addr &&
    args[3]->tcps_state != TCP_STATE_TIME_WAIT && args[3]->tcps_state != TCP_STATE_SYN_SENT && args[3]->tcps_state != TCP_STATE_SYN_RECEIVED &&
    args[3]->tcps_state != TCP_STATE_LISTEN && args[3]->tcps_state != TCP_STATE_CLOSED/
{
	this->accepted = args[3]->tcps_lport == 4190;
	@[this->accepted ? "accepted" : "began", args[3]->tcps_active,
	    args[3]->tcps_iss - (this->accepted ? server : client),
	    args[3]->tcps_irs - (this->accepted ? client : server)] = count();
}
tcp:::state-change /args[3]->tcps_lport == 4190 && args[3]->tcps_state == TCP_STATE_LISTEN/ { listens = args[3]->tcps_iss; }
END { printa("%s: active %d, iss %d, irs %d\n", @); printf("listening: %d\n", listens); }
D
start_dtrace -s sides.d
talk tcp $in4 3 1000
stop_dtrace
