# The case study's commands print what it shows.
# @once: the guide is about what people install, not about a build or a kernel
# @timeout: 600
python3 "$suite/guide.py" --dtrace "$dtrace" "$suite/../doc/guide/live.md"
