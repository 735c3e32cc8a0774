# Arguments and stability of the network's providers, as users see them.
"$dtrace" -lvn 'ip:::send, ip:::receive, tcp:::send, tcp:::accept-refused, tcp:::state-change, udp:::send, udp:::receive, mib:::tcpActiveOpens' | sed 's/^ *[0-9]* //'
