# An object without function and name: entries, returns and all instructions, unless those
# are too many, which is said.
. "$suite/lib.sh"
not_in_guests
cat > few.c <<'C'
int twice(int n) { return 2 * n; }
int main(void) { return twice(21) - 42; }
C
gcc -o few few.c
"$dtrace" -qn 'pid$target:a.out:: /probefunc == "twice"/ { @[probename] = count(); }
	END { printa("%s %@d\n", @); }' -c ./few 2>&1 | grep . | sort > seen
# as the disassembler has them
objdump -d --disassemble=twice few | awk '/>:$/ { start = strtonum("0x" $1) }
	/^ .*:\t/ { sub(":", "", $1); printf "%x 1\n", strtonum("0x" $1) - start } END { print "entry 1\nreturn 1" }' |
	sort | diff - seen && echo "all of them"
functions_only() {
	awk '$1 !~ /^[0-9]+$/ { next }
		$5 ~ /^(entry|return)$/ { functions[$5]++; next }
		{ n++ }
		END { print (functions["entry"] > 1000 && functions["return"] > 1000 ? "functions and" : "no functions,"), n + 0, "instructions" }'
}
"$dtrace" -ln 'pid$target:libc::' -c ./few 2> said | functions_only
sed 's/^dtrace: pid[0-9]*/dtrace: pidN/' said
# without an object there are none
"$dtrace" -ln 'pid$target:::' -c ./few 2>&1 | functions_only
