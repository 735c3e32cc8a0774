# The tutorial's commands print what it shows (part 1 of 3).
# @once: the guide is about what people install, not about a build or a kernel
# @timeout: 600
python3 "$suite/guide.py" --dtrace "$dtrace" --part 1/3 "$suite/../doc/guide/tutorial.md"
