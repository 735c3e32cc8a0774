# every error tag has a test that provokes it, or a line in UNREACHABLE that says why none can
# @anykernel: nothing is loaded
tags=$suite/../src/lang/tags.def
grep -o 'D_[A-Z_]*' "$tags" | sort >known
cut -f1 "$test/UNREACHABLE" | sort >excused
(cd "$test" && ls D_*.d D_*.sh) | sed 's/\..*//' | sort -u >tested
echo "neither tested nor excused:" $(cat tested excused | sort -u | comm -23 known -)
echo "excused, but tested:" $(comm -12 tested excused)
echo "no tags at all:" $(cat tested excused | sort -u | comm -13 known -)
echo "excused without a reason:" $(awk -F'\t' 'NF != 2 || $2 == ""' "$test/UNREACHABLE")
