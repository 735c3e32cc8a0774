# The README says how large the command is, and that it needs nothing but libc.
# @once: it is about one build
# @anykernel: nothing here depends on the kernel
strip -o stripped "$dtrace"
said=$(sed -n 's/.*binary of \([0-9.]*\) MB.*/\1/p' "$suite/../README.md")
awk -v said="$said" -v size="$(stat -c %s stripped)" 'BEGIN {
	size /= 1e6
	print (said && size <= said && size > said - 0.4 ? "as it says" : "it says " said ", it is " size) }'
ldd stripped | grep -v 'linux-vdso\|ld-linux' | awk '{ print $1 }'
