# What dtrace counted is in the picture, all of it, whichever way it comes: as text, as
# ndjson, as a recording.  Keys are the lowest frames, the kernel is on top of the
# user; stacks may be empty; other tables and histograms are left out.
stackvis=$(dirname "$dtrace")/stackvis
"$dtrace" -x record=run -qn '
syscall::getppid:entry /pid == $target/
{
	@a[stack(), execname] = count();
	@b["first", stack(3), ustack(), 7] = sum(2);
	@c[8, stack()] = count();
	@d[stack(), ustack()] = max(3);
	@histogram[stack()] = quantize(1);
	@other[execname] = count();
	@another[execname, 5] = count();
}
profile-97 { @e["samples", stack()] = count(); @f[stack(), strjoin("in ", execname)] = count(); }' \
	-c "$triggers/calls now getppid 500" > text 2> messages || cat messages
"$dtrace" --replay run -x oformat=ndjson > lines
"$stackvis" dtrace collapsed text > 1 && "$stackvis" ndjson collapsed < lines > 2 && "$stackvis" recording collapsed run > 3
cmp 1 2 && cmp 2 3 && echo "the same three times"

# the true number of calls
sum() { awk -v pattern="$1" '$0 ~ pattern { n += $NF } END { print n }' 1; }
echo "a: $(sum '^calls;vmlinux')" "b: $(sum '^first;7;')"
[ "$(sum '^8;vmlinux')" = "$(sum '^calls;vmlinux')" ] && echo "as many with a number as a key"
# (kernel functions in samples have any names)
grep -v -e '^samples;' -e '^in ' 1 | grep -c 'other\|another\|Distribution\||'
# user below kernel, in one stack
grep -q '^first;7;calls`_start;.*;calls`main;.*;vmlinux`' 1 && echo "kernel on user"
grep -c '+0x' 1

# as everybody knows it
"$stackvis" dtrace collapsed < text | grep '^calls;' | "$stackvis" collapsed flamegraph-svg > x.svg
python3 - << 'PYTHON'
import xml.etree.ElementTree as tree
titles = [t.text for t in tree.parse("x.svg").findall(".//{http://www.w3.org/2000/svg}g/{http://www.w3.org/2000/svg}title")]
print(titles[0], len(titles) > 3)
PYTHON
