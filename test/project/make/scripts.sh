# doc/scripts.md names every script of the DTraceToolkit, of the book and of the talks (scripts.txt),
# once; every tool is in it; what it says is here is here, and is a script that dtrace takes.
# @anykernel: it is about documents
. "$suite/lib.sh"
"$suite/../tools/scripts.py" --check && echo "as the tables of areas have it"
sed -n 's/^| \([^ ]*\) | .*/\1/p' "$suite/../doc/scripts.md" | sed 1d | sort > table
uniq -d table
grep -v '^#' "$test/scripts.txt" | sort | comm -23 - table | sed 's/$/ is in no table/'
sed -n 's/^| \([^ ]*\) | here | .*/\1/p' "$suite/../doc/scripts.md" > here
while read -r tool; do
	case $(head -1 "$suite/../toolkit/$tool") in
	*dtrace*) "$dtrace" -s "$suite/../toolkit/$tool" --help > help 2>&1 ;;
	*) PATH=$(dirname "$dtrace"):$PATH "$suite/../toolkit/$tool" --help > help 2>&1 ;;
	esac || { echo "$tool: no help"; cat help; }
	grep -qi usage help || { echo "$tool: no usage"; cat help; }
done < here
# a heading is not to wait until all probes are enabled
grep -l '^#pragma D option quiet' "$suite"/../toolkit/* | xargs grep -l '^BEGIN$' | xargs grep -L '^#pragma D option beginfirst' | sed 's/.*/&: no beginfirst/'
[ "$(wc -l < here)" -gt 170 ] && echo "every tool has help"
