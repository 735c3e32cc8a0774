# Questions about programs in Python, JavaScript, Java and Go have the answers of the guide.
# @once: the guide is about what people install, not about a build or a kernel
# @timeout: 600
python3 "$suite/guide.py" --dtrace "$dtrace" "$suite/../doc/guide/languages.md"
