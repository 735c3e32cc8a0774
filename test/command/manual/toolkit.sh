# The examples in the pages of the toolkit name what the scripts take.
# @timeout: 300
# @anykernel: nothing is enabled
# @once: the pages do not depend on the build
"$suite/manual.py" --toolkit "$dtrace" $$
