# Short runs leave out what only runs before a release, and say so; guests have every test of some
# groups, some of each chapter of others, and what this kernel skipped.
# @anykernel: nothing here depends on the kernel
mkdir -p suite/{language,providers,toolkit}/chapter_{a,b}
rmdir suite/providers/chapter_{a,b} suite/toolkit/chapter_{a,b}
mkdir suite/providers/chapter_{c,d} suite/toolkit/chapter_e
cp "$suite"/{run,check,surroundings}.py suite
for chapter in suite/*/chapter_*; do
	for name in 1 2 3 4; do
		echo true > $chapter/$name.sh
	done
done
echo '# @release: it takes an hour' > suite/language/chapter_a/4.sh
echo '# @anykernel: no probe fires' > suite/language/chapter_b/4.sh
printf '%s\n' '# a comment' 'chapter_a/2.sh: 40 s' 'chapter_c/3.sh: 50 s' 'chapter_c/4.sh: 50 s' > suite/slow_in_guests.txt
printf '%s\n' chapter_a/4.sh chapter_e/1.sh > some
attempt() {
	echo "-- $*"
	suite/run.py --jobs 1 "$@" 2>&1
}
attempt --short
attempt --short --again kernel
attempt --long
attempt --list some
attempt --list some --short
guest() {
	echo "-- $*"
	python3 - "$@" <<'P'
import sys
sys.path.insert(0, "suite")
import check, run
check.skipped_here += sys.argv[2:]
print(*(run.test_name(test) for test in check.guest_tests("guest", sys.argv[1] == "oldest")))
P
}
guest oldest
guest newer
guest newer chapter_c/4.sh chapter_a/3.sh
echo 'chapter_f/1.sh: 40 s' >> suite/slow_in_guests.txt
guest oldest
echo "-- test/slow_in_guests.txt"
PYTHONPATH="$suite" python3 -c 'import check; print("names tests" if len(check.reasons("slow_in_guests.txt")) else "is empty")'
