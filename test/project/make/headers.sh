# What includes a header is made anew when the header changes, and nothing else: the objects
# for BPF, their native twins, the library and the commands.
# @anykernel: nothing here depends on the kernel
cd "$suite/.." || exit 1
build=$(realpath --relative-to=. "$(dirname "$dtrace")")
# Revisions come and go while nothing else changes.
made() {
	make -n BUILD="$build" -o "$build/gen/revision.h" "$@" all 2>&1
}
echo "nothing: $(made)"
all=$(ls bpf/*.bpf.c | wc -l)
for header in bpf/*.h bpf/functions.def src/base/str.h; do
	made -W $header > "$HOME/said"
	objects=$(grep -o "[a-z]*\.bpf\(\.native\)\?\.o$" "$HOME/said" | sort | xargs)
	[ "$(echo $objects | wc -w)" = $((2 * all)) ] && objects=all
	echo "$header: $objects"
	grep -q -e "-o $build/dtrace " "$HOME/said" || echo "dtrace is not linked"
done
