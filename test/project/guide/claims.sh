# What the README and the guide claim in numbers is so: kernels, tools and their help, size of the
# picture.  (size/binary measures the command itself.)
# @once: it is about the tree
# @anykernel: nothing here depends on the kernel
cd "$suite/.." || exit 1
said=$(sed -n 's/.*Linux \([0-9.]*\) or later.*/\1/p' README.md)
tested=$(sed -n 's/^SUITES = {"\([0-9.]*\)".*/\1/p' test/guest.py)
[ "$said" = "$tested" ] && echo "the oldest kernel is tested" || echo "README has $said, the tests begin with $tested"
said=$(sed -n 's/.*[Mm]ore than \([0-9]*\) commands.*/\1/p' README.md)
[ "$(ls toolkit | wc -l)" -gt "$said" ] && echo "there are as many tools" || echo "fewer than $said tools"
for tool in toolkit/*; do
	interpreter=
	head -1 "$tool" | grep -q 'dtrace -s$' && interpreter="$dtrace -s"
	# shellcheck disable=SC2086
	DTRACE=$dtrace $interpreter "$tool" --help 2>&1 | grep -qi '^usage: ' || echo "no --help: $tool"
done
echo "each was asked for help"
size=$(stat -c %s doc/flame.svg)
[ "$size" -lt 150000 ] && head -c 200 doc/flame.svg | grep -q '<svg' && echo "the picture is small" || echo "picture: $size"
# every command of toolkit/ that documents name in blocks is there: guide.py runs them
for name in $(grep -ho '`[a-z_0-9-]*\.d`' README.md doc/guide/*.md | tr -d '`' | sort -u); do
	[ -e "toolkit/$name" ] || grep -q "file: $name" doc/guide/*.md || echo "no $name"
done
"$dtrace" -V | grep -q . && echo "it runs"
