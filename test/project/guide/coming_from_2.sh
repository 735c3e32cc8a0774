# Lines in D beside those of other tools print what the text shows (part 2 of 2).
# @once: the guide is about what people install, not about a build or a kernel
# @timeout: 600
for tool in strace perf; do
	command -v $tool > /dev/null || { echo "no $tool here"; exit 77; }
done
python3 "$suite/guide.py" --dtrace "$dtrace" --part 2/2 "$suite/../doc/guide/coming-from.md"
