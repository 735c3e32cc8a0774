# -x errtags=illumos prints illumos's names where they differ, every row of the table at least once
# @anykernel: nothing is loaded
tag_of() { "$dtrace" -e -x errtags$1 -n "$2" 2>&1 | sed -n '1s/.*: \[\(D_[A-Z_]*\)\].*/\1/p'; }
while IFS= read -r program; do
	printf '%-22s %-23s %s\n' "$(tag_of '' "$program")" "$(tag_of =illumos "$program")" "$program"
done > found <<'PROGRAMS'
BEGIN { @a = count(); clear(@a, 1); }
BEGIN { @a = count(); normalize(@a); }
BEGIN { @a = count(); denormalize(@a, 1); }
BEGIN { @a = count(); trunc(@a, 1, 2); }
BEGIN { stack(1, 2); }
BEGIN { ustack(1, 2, 3); }
BEGIN { jstack(1, 2, 3); }
BEGIN { tracemem(0, 1, 2, 3); }
BEGIN { printa(); }
BEGIN { @a = count(); normalize(@a, "x"); }
BEGIN { @a = count(); trunc(@a, "x"); }
BEGIN { stack("x"); }
BEGIN { ustack("x"); }
BEGIN { ustack(1, "x"); }
BEGIN { jstack("x"); }
BEGIN { jstack(1, "x"); }
BEGIN { @a = count(); print(@a); }
BEGIN { printf(1); }
BEGIN { system(1); }
BEGIN { freopen(1); }
BEGIN { @a = count(); trace(@a); }
BEGIN { trace(uregs[99]); }
BEGIN { @ = llquantize(1, 65536, 0, 3, 10); }
BEGIN { @ = llquantize(1, 1, 0, 3, 10); }
BEGIN { @ = llquantize(1, 10, 0, 3, 10); @ = llquantize(1, 2, 0, 3, 2); }
BEGIN { @ = llquantize(1, 10, pid, 3, 10); }
BEGIN { @ = llquantize(1, 10, 65536, 3, 10); }
BEGIN { @ = llquantize(1, 10, 0, 3, 10); @ = llquantize(1, 10, 1, 3, 10); }
BEGIN { @ = llquantize(1, 10, 0, pid, 10); }
BEGIN { @ = llquantize(1, 10, 3, 1, 10); }
BEGIN { @ = llquantize(1, 10, 0, 40, 10); }
BEGIN { @ = llquantize(1, 10, 0, 65536, 10); }
BEGIN { @ = llquantize(1, 10, 0, 3, 10); @ = llquantize(1, 10, 0, 4, 10); }
BEGIN { @ = llquantize(1, 10, 0, 3, pid); }
BEGIN { @ = llquantize(1, 10, 0, 3, 3); }
BEGIN { @ = llquantize(1, 10, 0, 3, 40); }
BEGIN { @ = llquantize(1, 10, 0, 3, 65536); }
BEGIN { @ = llquantize(1, 10, 0, 3, 10); @ = llquantize(1, 10, 0, 3, 20); }
BEGIN { trace(trace(1)); }
PROGRAMS
cat found
sed -n 's/.*"\(D_[A-Z_]*\)".*/\1/p' "$suite/../src/lang/dialects.def" | sort -u > known
awk '{ print $2 }' found | sort -u | comm -23 known -
# the value says the rest: off, ours by name, and in a program
"$dtrace" -e -x errtags=no -n 'BEGIN { stack(1, 2); }' 2>&1 | head -1
"$dtrace" -e -x errtags=oracle -n 'BEGIN { stack(1, 2); }' 2>&1 | head -1
"$dtrace" -e -x errtags=solaris -n 'BEGIN { stack(1, 2); }' 2>&1
printf '#pragma D option errtags=illumos\nBEGIN { stack(1, 2); }\n' > x.d
"$dtrace" -e -s x.d 2>&1 | head -1
