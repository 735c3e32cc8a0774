# The grammar for tree-sitter reads every script of the tree, and makes of known texts what it should.
. "$suite/lib.sh"
not_in_guests
command=$(dirname "$triggers")/sources/tree-sitter/tree-sitter
[ -x "$command" ] || skip "no $command (tools/tree_sitter.py fetches it)"
export LC_ALL=C.UTF-8 NO_COLOR=1
cp -r "$suite/../share/tree-sitter-d-trace" grammar
cd grammar || exit 1
"$command" generate --no-bindings > said 2>&1 || cat said
"$command" test > said 2>&1 || cat said
sed 's/\x1b\[[0-9;]*m//g' said | sed -n 's/.*✓ /understood: /p'

# A library has a place that the build fills in.
mkdir scripts
grep -l '^#!.*dtrace' "$suite"/../toolkit/* | xargs cp -t scripts
cp "$suite"/../examples/*.d "$suite"/../dlib/*.d scripts
sed -i 's/@[A-Z_]*@/0/' scripts/psinfo.d
"$command" parse --quiet scripts/* 2>/dev/null
echo "status $?"
[ "$(ls scripts | wc -l)" -gt 100 ] || echo "few scripts"
echo 'BEGIN { if }' > wrong.d
"$command" parse --quiet wrong.d 2>/dev/null | grep -c ERROR

# Each word has its colour; the last pattern that matches counts.
cat > known.d <<'END'
syscall::read:entry /pid == $target/ { self->t = arg0; @a = count(); x = (int)curthread->comm; }
END
"$command" query queries/highlights.scm known.d 2>/dev/null | awk '
	/pattern:/ { pattern = $2 }
	match($0, /start: \(0, [0-9]+\)/) {
		at = substr($0, RSTART + 11, RLENGTH - 12) + 0
		if (at in best && best[at] > pattern)
			next
		best[at] = pattern
		split($0, parts, "`")
		sub(/,$/, "", $4)
		line[at] = parts[2] " " $4
	}
	END { for (at = 0; at < 200; at++) if (at in line && line[at] !~ /punctuation/) print line[at] }'
