# A test that fails once and passes alone is unsteady: its run fails, and is not
# a failure in the sum of all.
# @anykernel: nothing here depends on the kernel
mkdir -p suite/group/chapter
cp "$suite/run.py" "$suite/surroundings.py" suite
cat > suite/group/chapter/once.sh <<T
[ -e $PWD/ran ] || { touch $PWD/ran; echo failed; }
T
echo true > suite/group/chapter/steady.sh
attempt() {
	echo "-- $1"
	suite/run.py --jobs 1 2>&1 | grep -v '^[-+@]' | sed "s,$PWD,{here}," | tee said
	echo "status ${PIPESTATUS[0]}"
	PYTHONPATH="$suite" python3 -c '
import check
print("counted:", check.counted(1, open("said").read().splitlines()), "unsteady:", check.unsteady)'
}
attempt "fails once"
echo "-- test/unsteady.txt"
PYTHONPATH="$suite" python3 -c 'import check; check.known_unsteady(); print("names tests, each with a reason")'
echo 'echo failed' > suite/group/chapter/once.sh
attempt "fails always"
