# The one-liners of the guide run, and print what the text shows (part 1 of 4).
# @once: the guide is about what people install, not about a build or a kernel
# @timeout: 600
python3 "$suite/guide.py" --dtrace "$dtrace" --part 1/4 "$suite/../doc/guide/oneliners.md"
