# `make site` makes a web site in which every link leads somewhere, nothing is loaded from
# the network, and all documents, manual pages and tools have a page.
# @once: nothing here depends on a build
# @anykernel: nothing here depends on the kernel
for command in cmark-gfm mandoc; do
	command -v $command > /dev/null || { echo "no $command here"; exit 77; }
done | sort -u
top=$(realpath "$suite/..")
make -s -C "$top" site SITE="$PWD/site" || exit 1
"$suite/links.py" site | sed 's/[0-9][0-9]*/N/g'
cd "$top" || exit 1
for source in README.md doc/*.md doc/guide/*.md doc/toolkit/*.md; do
	page=${source%.md}.html
	[ -s "$OLDPWD/site/${page/README.html/index.html}" ] || echo "no page of $source"
done
find doc -name '*.[1-8]' -printf '%f\n' > "$OLDPWD/manuals"
ls toolkit | sed 's/$/.8/' >> "$OLDPWD/manuals"
cd "$OLDPWD" || exit 1
while read -r manual; do
	grep -q head-ltitle "site/man/$manual.html" || echo "no page of $manual"
	grep -q "$manual.html" site/man/index.html || echo "$manual is not in the index"
done < manuals
# A tool's page has the options that the tool has.
"$dtrace" -s "$top/toolkit/opensnoop" --help | grep -o '^  -., --[a-z]*' | while read -r short long; do
	grep -q "<b>$long</b>" site/man/opensnoop.8.html && echo "it has its options" || echo "no $short $long"
done | sort -u
# What links.py is for: a file, an anchor, a picture of another site.
echo '<a href="nosuch.html">1</a> <a href="index.html#nosuch">2</a> <img src="https://example.org/3.png">' > site/dead.html
"$suite/links.py" site || echo "and tells it"
