# The table of README.md has every group and every chapter, and no others.
# @anykernel: nothing here depends on the kernel
cd "$suite" || exit 1
sed -n 's/^| `\([a-z]*\)` |.*| \([a-z_ ]*\) |$/\1 \2/p' README.md |
	awk '{ for (i = 2; i <= NF; i++) print $1 "/" $i }' | sort > "$HOME/told"
find . -mindepth 3 -maxdepth 3 \( -name '*.sh' -o -name '*.d' \) -printf '%h\n' |
	sed 's,^\./,,' | grep -v '^\(fuzz\|differential\|triggers\)/' | sort -u > "$HOME/there"
diff "$HOME/told" "$HOME/there" && echo "the same"
