# Frames of languages in stacks, compared with those that the program says itself.
# For tests that source lib.sh: the program writes its stacks into `expected`, dtrace
# prints them into `out`; -- is between stacks.

# Frames of the language only.
language_frames() {
	awk '/^$/ { next } /^ *--$/ { print "--"; next } /`/ { next } { $1 = $1; print }' "$1"
}

# check_frames NAME SAYER [ROOT [BACK]]: SAYER says so; whole stacks end in ROOT, or
# have that BACK frames before the end.
check_frames() {
	if ! grep -q . expected || ! language_frames out | cmp -s - expected; then
		echo "$1: other frames:"
		language_frames out | diff - expected | head -20
		return
	fi
	echo "$1: as $2 says, $(grep -c '^--' expected) stacks"
	awk -v root="${3:-_start|libc.so}" -v back="${4:-0}" '
		/^ *--$/ { if ((back ? before : last) !~ root) cut++; next }
		NF { before = last; last = $1 }
		END { print cut + 0, "not complete" }' out
}
