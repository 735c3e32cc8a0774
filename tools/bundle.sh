#!/bin/sh
# Scripts and styles of pages as a C table (src/view/page.h).
#
#	bundle.sh DIRECTORY NAME... >pages.c
#
# Takes DIRECTORY/NAME.js and, if there is one, DIRECTORY/NAME.css.  The hashes
# are of exactly the bytes that a page has between its tags.
set -eu
directory=$1
shift

hash() {
	sha256sum < "$1" | cut -c 1-64 | tr a-f A-F | basenc --base16 -d | base64 -w 0
}

# static const char KIND_NAME[] = "..." of a file
text() {
	echo "static const char $1[] ="
	sed 's/\\/\\\\/g; s/["?]/\\&/g; s/^/	"/; s/$/\\n"/' "$2"
	echo ';'
}

echo '/* Made by tools/bundle.sh: do not edit. */'
echo '#include "view/page.h"'
for name; do
	text "script_$name" "$directory/$name.js"
	[ ! -e "$directory/$name.css" ] || text "style_$name" "$directory/$name.css"
done
echo 'extern const struct page_bundle page_bundles[];'
echo 'const struct page_bundle page_bundles[] = {'
for name; do
	style='"", ""'
	[ ! -e "$directory/$name.css" ] || style="style_$name, \"$(hash "$directory/$name.css")\""
	echo "	{ \"$name\", script_$name, \"$(hash "$directory/$name.js")\", $style },"
done
echo '	{ NULL, NULL, NULL, NULL, NULL }'
echo '};'
