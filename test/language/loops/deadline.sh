# Loops that are too short to look at the clock may not take any time together:
# neither many in one clause, nor in clauses that are compiled to several programs.
# Each part would do 8 million turns, for some 80 ms; it must do a small part of them.
part() { # clauses, loops in each
	cat <<-'D'
	#pragma D option quiet
	#pragma D option looplimit=8388608
	int64_t turns;
	int fired;
	D
	awk -v clauses="$1" -v loops="$2" -v turns="$3" 'BEGIN {
		for (c = 0; c < clauses; c++) {
			print "syscall::getppid:entry /pid == $target && fired < 1/ {"
			for (i = 0; i < loops; i++)
				print "\tfor (int i = 0; i < " turns "; i++) turns++;"
			print "}"
		}
		print "syscall::getppid:entry /pid == $target/ { fired++; }"
	}'
	cat <<-'D'
	END { printf("%s\n", !fired ? "did not fire" : !turns ? "did nothing" :
	    turns < 4000000 ? "ended in time" : "did all its turns"); }
	D
}
run() {
	"$dtrace" -s "$1" -c 'python3 -c "import os; os.getppid()"' 2>&1 |
	    sed -n 's/.*\(loop limit exceeded\) ([0-9]* ms).*/\1/p; /^[a-z ]*$/p' | sort -u
}
echo "-- in one clause"
part 1 100 80000 > one.d
run one.d
echo "-- in many clauses"
part 400 5 4000 > many.d
run many.d
