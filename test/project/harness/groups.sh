# A test is found by its name, by its chapter and by its group; a chapter that is in no
# group, or in two, is an error.
# @anykernel: nothing here depends on the kernel
mkdir -p suite/early/{one,two} suite/late/three suite/triggers
cp "$suite/run.py" "$suite/surroundings.py" suite
for name in early/one/a early/one/b early/two/a late/three/c; do
	echo true > suite/$name.sh
done
attempt() {
	echo "-- $*"
	suite/run.py --jobs 1 --verbose "$@" 2>&1 | sed "s,$PWD,{here},g"
}
attempt
attempt one/a
attempt two
attempt early
attempt late/three/c
attempt none
mkdir suite/late/one
attempt two
rmdir suite/late/one
mkdir suite/new
echo true > suite/new/d.sh
attempt two
