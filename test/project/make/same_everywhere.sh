# @once: about the compiler
# Objects are the same wherever the tree is: no path, no time, no order of files gets into
# them.  test/packages.sh compares everything that is installed.
top=$(dirname "$suite")
for place in one two/of/them; do
	mkdir -p "$place"
	cp -r "$top/Makefile" "$top/src" "$top/include" "$top/bpf" "$top/tools" "$top/dlib" "$place"
	make -s -C "$place" REVISION=1 build/src/base/arena.o build/src/api/handle.o build/bpf/string.bpf.native.o \
		build/gen/libraries.c build/gen/library.o || exit 1
done
cd one/build || exit 1
find . -name '*.o' -o -name '*.c' | sort > files
for file in ./src/base/arena.o ./bpf/string.bpf.native.o ./gen/library.o; do
	grep -x "$file" files
done
while read -r file; do
	cmp "$file" "../../two/of/them/build/$file"
done < files
! grep -rlaF "$(dirname "$PWD")" src bpf gen
