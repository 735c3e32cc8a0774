# Segments: every byte is sent once and received once, under one name of the connection.
. "$suite/net.sh"
own_network 8
cat > segments.d <<'D'
tcp:::send, tcp:::receive
{
	this->to = args[4]->tcp_dport == 4080 && args[4]->tcp_sport == 4081;
	this->back = args[4]->tcp_sport == 4080 && args[4]->tcp_dport == 4081;
	this->bytes = args[2]->ip_plength - args[4]->tcp_offset;
}
tcp:::send /this->to/ { @balance[args[2]->ip_ver] = sum((int)this->bytes); @syn[args[2]->ip_ver, probename] = sum((args[4]->tcp_flags & TH_SYN) != 0); }
tcp:::receive /this->to/ { @balance[args[2]->ip_ver] = sum(-(int)this->bytes); @syn[args[2]->ip_ver, probename] = sum((args[4]->tcp_flags & TH_SYN) != 0); }
/* a busy machine may send something again */
tcp:::send /this->to && !args[3]->tcps_retransmit/ { @bytes[args[2]->ip_ver] = sum(this->bytes); @fin[args[2]->ip_ver] = sum((args[4]->tcp_flags & TH_FIN) != 0); }
tcp:::send /this->back && !args[3]->tcps_retransmit/ { @back[args[2]->ip_ver] = sum(this->bytes); }
/* an end has one name, on what it sends and on what it gets */
tcp:::send /this->to/ { names[args[1]->cs_cid] = args[2]->ip_ver; }
tcp:::receive /this->back/ { @known[args[2]->ip_ver, names[args[1]->cs_cid] == args[2]->ip_ver ? "known" : "unknown"] = count(); }
tcp:::receive /this->to/ { @other[args[2]->ip_ver, names[args[1]->cs_cid] == 0 ? "has another name" : "the same name"] = count(); }
tcp:::send, tcp:::receive /this->to/ { @ports[probename, args[3]->tcps_lport, args[3]->tcps_rport, args[3]->tcps_laddr, args[3]->tcps_raddr] = count(); }
END
{
	printa("v%d: %@d bytes\n", @bytes);
	printa("v%d: %@d bytes back\n", @back);
	printa("v%d: %@d bytes sent and not received\n", @balance);
	printa("v%d %s: %@d SYN\n", @syn);
	printa("v%d: %@d FIN\n", @fin);
	printa("v%d: %s\n", @known);
	printa("v%d: the other end %s\n", @other);
	printa("%s: on %d with %d, %s %s\n", @ports);
}
D
start_dtrace -x aggsortkey -s segments.d
talk tcp $in4 100 5000
talk tcp $in6 100 5000
stop_dtrace
