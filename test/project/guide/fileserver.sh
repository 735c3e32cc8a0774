# The case study's commands print what it shows, in a network of their own.
# @once: the guide is about what people install, not about a build or a kernel
# @timeout: 600
unshare -n sh -c 'ip link set lo up; exec python3 "$@"' - "$suite/guide.py" --dtrace "$dtrace" "$suite/../doc/guide/fileserver.md"
