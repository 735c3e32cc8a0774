# Commands of the README and of the guide's first page print what they show.
# @once: the guide is about what people install, not about a build or a kernel
# @timeout: 600
python3 "$suite/guide.py" --dtrace "$dtrace" "$suite/../README.md"
mkdir guide
cp "$suite/../doc/guide/README.md" guide/first.md
python3 "$suite/guide.py" --dtrace "$dtrace" guide/first.md
