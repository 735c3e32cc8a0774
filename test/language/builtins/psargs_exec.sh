# While exec builds the new stack, pr_psargs and execargs show no environment.
. "$suite/lib.sh"
# so long that a whole string can be read of what follows the arguments
secret=SECRET=$(printf '%0300d' 0)
"$dtrace" -qn 'rawtp:kmem::mm_page_alloc, rawtp:mmap::vm_unmapped_area /pid == $target/ {
	@[curpsinfo->pr_psargs] = count(); @[execargs] = count(); }
	END { printa("%s\n", @); }' -c "/usr/bin/env -i $secret /bin/sleep 0.01" > out 2>&1
# the name alone until the kernel knows where the arguments end
grep '^sleep\|^/bin/sleep' out | sort
