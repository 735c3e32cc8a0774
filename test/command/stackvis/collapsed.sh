# @anykernel: nothing is traced
# Folded stacks in all forms in which tools write them: blanks in names, fractions, ends
# of lines, suffixes for the kernel's frames, stacks that are there twice.
stackvis=$(dirname "$dtrace")/stackvis
printf '%s\n' 'b;x 1' 'a;operator new(unsigned long);c 2.5' 'a 3' '' 'b;x 4' 'ab;x 5' 'a;;c 6' 'a;b 1' 'a;b;c 1' 'a;bc 1' 'a;b 1' > in
printf 'crlf;f 7\r\n  \nlast;g 8' >> in
"$stackvis" collapsed collapsed < in
echo "status $?"

# the same in any order, and again from what was written
"$stackvis" collapsed collapsed in > 1
sort in | "$stackvis" collapsed collapsed > 2
"$stackvis" collapsed collapsed 1 > 3
cmp 1 2 && cmp 2 3 && echo "in any order"

# lines that are none, numbers that are too large, stacks that are too deep
{
	echo 'heading'
	echo 'no number;x'
	echo 'good;f 1'
	echo 'negative;f -1'
	echo 'large;f 9007199254740992'
	echo 'larger;f 99999999999999999999999999'
	python3 -c 'print(";".join(["deep"] * 5000), 2)'
} > bad
"$stackvis" collapsed collapsed bad > out
echo "status $?"
awk -F'[; ]' '{ print $1, NF - 1, $NF }' out
