#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Debian's own node, whose engine is a shared library, beside whatever node is installed:
#
#	debian_node.sh DIRECTORY
#
# Nothing is installed: packages are unpacked.  What is there already is not fetched
# again; where packages cannot be had, tests that need it say so and are skipped.
directory=$1
[ -e "$directory/usr/bin/node" ] && exit 0
library=$(apt-cache search --names-only '^libnode[0-9]*$' | sed 's/ .*//' | sort | tail -1)
version=$(apt-cache policy "$library" 2>/dev/null | sed -n 's/^  Candidate: //p')
[ -n "$version" ] || { echo "Debian's node: apt knows no libnode; tests that need it will be skipped"; exit 0; }
unpacked=$(mktemp -d) || exit 1
trap 'rm -rf "$unpacked"' EXIT
cd "$unpacked" || exit 1
chmod 755 .
echo "Debian's node: fetching $version"
# what the library reads from /usr/share/nodejs when it starts
if apt-get download -qq "nodejs=$version" "$library=$version" node-undici node-acorn node-cjs-module-lexer 2> log; then
	for package in *.deb; do
		dpkg -x "$package" root
	done
	cd - > /dev/null && mkdir -p "$(dirname "$directory")" && cp -a "$unpacked/root" "$directory"
else
	cat log
	echo "Debian's node: not there; tests that need it will be skipped"
fi
