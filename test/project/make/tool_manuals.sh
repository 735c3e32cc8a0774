# Each tool has a manual page, made of the script: complete, and without a complaint of
# mandoc's.
# @anykernel: nothing here depends on the kernel
# @once: the pages do not depend on the build
for script in "$suite"/../toolkit/*; do
	name=${script##*/}
	awk -f "$suite/../tools/tool_manual.awk" "$script" > "$name.8"
	mandoc -Tlint "$name.8"
	for section in NAME SYNOPSIS DESCRIPTION EXAMPLES 'SEE ALSO'; do
		grep -qx ".SH $section" "$name.8" || echo "$name: no section $section"
	done
	grep -qF "$(echo "$name" | sed 's/-/\\-/g') \\- " "$name.8" || echo "$name: another name in its comment"
	[ -x "$script" ] || echo "$name: not executable"
done
ls ./*.8 | grep -q opensnoop && echo "looked at all"
