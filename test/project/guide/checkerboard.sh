# The case study's commands print what it shows.
# @once: the guide is about what people install, not about a build or a kernel
# @timeout: 600
[ "$(nproc)" -gt 1 ] || { echo "it needs a second CPU"; exit 77; }
python3 "$suite/guide.py" --dtrace "$dtrace" "$suite/../doc/guide/checkerboard.md"
