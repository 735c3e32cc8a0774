# httpdstat.d, httpdurls.d, httpclients.d, httperrors.d: requests of an nginx server by second, by
# address, by client, and those that fail, as the server logs them.
# @timeout: 300
# @anykernel: probes of the same functions are in synthetic/nginx.sh
. "$suite/net.sh"
own_network 88
. "$suite/nginx.sh"
. "$suite/toolkit.sh"
cat > load.sh <<Y
python3 client.py $port 'GET /index.html?a=1 $keep' 'GET /index.html?a=2 $keep' 'GET /large $end'
python3 client.py $port 'POST /moved $end'
python3 client.py $port 'GET /none $end'
python3 client.py $port 'GET /down $end'
Y
# the server ends a request after the client has its answer: wait for its log, which comes last
cat > wait.sh <<Y
before=\$(wc -l < $site/access)
sh load.sh
for _ in \$(seq $looks); do
	[ \$(wc -l < $site/access) = \$((before + 6)) ] && break
	sleep 0.05
done
Y
echo "-- addresses"
tool httpdurls.d --process $worker -- sh wait.sh > out
sed 1d out | awk 'NR == 1 { print $1, $2, $3, $4, $5; next } { print $1, $2, $3, ($4 > 0 ? "some us" : $4), ($2 == "/large" ? $5 : "KB") }' | sort
tool httpdurls.d --process $worker -a -t 1 -- sh wait.sh > out
sed -n 's/  */ /g; /index.html/p' out | cut -d' ' -f1-3
echo "-- clients"
tool httpclients.d --process $worker -- sh wait.sh > out
awk 'NR == 2 { print $1, $2, $3, $4 } /127.0.0.1/ { print $1, $2, $3, ($4 > 290) }' out
echo "-- errors"
tool httperrors.d --process $worker -- sh wait.sh > out
awk 'NR == 1 { print $1, $2, $3, $4 } / \/(none|down) / { print $5, $6, $7, $8 }' out
tool httperrors.d --process $worker -m 500 -- sh wait.sh | grep -c '/none'
echo "-- seconds"
tool httpdstat.d --process $worker -- sh wait.sh > out
awk 'NR == 1 { print $0; next } { num += $5; get += $6; post += $7; err += $8; kb += $9 }
     END { print num, get, post, err, (kb > 290) }' out
