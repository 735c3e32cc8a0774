# The tutorial's commands print what it shows (part 3 of 3).
# @once: the guide is about what people install, not about a build or a kernel
# @timeout: 600
python3 "$suite/guide.py" --dtrace "$dtrace" --part 3/3 "$suite/../doc/guide/tutorial.md"
