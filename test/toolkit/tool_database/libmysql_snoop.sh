# libmysql_snoop.d: what a client sends, as the server logs it, with what failed and what took long.
# @timeout: 300
# @anykernel: calls of functions of a process are traced in the chapter pid
. "$suite/mariadb.sh"
mark_log
cat > queries <<'Y'
select 1;
select * from no.such;
select sleep(0.2);
Y
"$dtrace" -s "$suite/../toolkit/libmysql_snoop.d" -c "mariadb --no-defaults -u root -S $data/s --force -N -B -e 'source queries'" > out 2> /dev/null
queries | sed 's/^[0-9]* //' > logged
sed -n 's/^ *[0-9][0-9]* *[0-9][0-9]* //p' out > sent
head -1 out | sed 's/  */ /g'
diff logged sent && echo "$(grep -c . sent) queries as the server has them"
awk '$3 == "select" { print ($2 >= 200 ? "slow:" : "quick:"), $3, $4 }' out | grep 'sleep\|such'
