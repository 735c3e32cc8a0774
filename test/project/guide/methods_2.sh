# The methods' commands print what the text shows (part 2 of 2).
# @once: the guide is about what people install, not about a build or a kernel
# @timeout: 600
unshare -n sh -c 'ip link set lo up; exec python3 "$@"' - "$suite/guide.py" --dtrace "$dtrace" --part 2/2 "$suite/../doc/guide/methods.md"
