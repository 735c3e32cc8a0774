# ipio.d, ipproto.d, udpio.d: packets of a known conversation.
. "$suite/net.sh"
. "$suite/toolkit.sh"
own_network 67
both() { talk udp $in4 3 1000; talk udp $in6 2 500; }
echo "packets"
tool ipio.d -i lo -- both | awk -v in4=$in4 -v in6=$in6 'NR == 1; $5 == in4 || $5 == in6 { print ($1 >= 0), ($2 >= 0), $4, $5, $6, $7 }' | sort | uniq -c
echo "protocols"
tool ipproto.d -- both | awk -v in4=$in4 -v in6=$in6 '/SADDR/; $2 == in4 || $2 == in6'
echo "datagrams"
tool udpio.d -l $own -- both | awk '{ $1 = $1 >= 0 ? "cpu" : $1; $2 = $2 >= 0 ? "time" : $2; print }'
tool udpio.d -l $port -r $own -- both | awk 'NR > 1 { $1 = $1 >= 0 ? "cpu" : $1; $2 = $2 >= 0 ? "time" : $2; print }'
