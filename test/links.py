#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Links of a web site that lead nowhere: files, anchors, and anything from the network.

    links.py DIRECTORY

Prints one line for each, and how many pages and links it has looked at if there are none.
Links to other sites may be followed by people, but no page may load something from there.
"""
import os, sys, urllib.parse
from html.parser import HTMLParser


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.ids, self.links = set(), []
        with open(path, encoding="utf-8") as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id":
                self.ids.add(value)
            elif name in ("href", "src"):
                self.links.append((tag, value))


def main():
    top = os.path.abspath(sys.argv[1])
    pages = {}
    for directory, _, names in os.walk(top):
        for name in names:
            if name.endswith(".html"):
                path = os.path.join(directory, name)
                pages[path] = Page(path)
    dead = count = 0
    for path, page in sorted(pages.items()):
        for tag, link in page.links:
            count += 1
            to = urllib.parse.urlsplit(link)
            other = os.path.normpath(os.path.join(os.path.dirname(path), urllib.parse.unquote(to.path))) if to.path else path
            if to.scheme or to.netloc:
                wrong = tag != "a" and "loads from the network"
            elif not os.path.isfile(other):
                wrong = "no such file"
            elif not other.startswith(top + os.sep):
                wrong = "outside of the site"
            else:
                wrong = to.fragment and other in pages and urllib.parse.unquote(to.fragment) not in pages[other].ids and "no such anchor"
            if wrong:
                dead += 1
                print(f"{os.path.relpath(path, top)}: {link}: {wrong}")
    if not dead:
        print(f"{len(pages)} pages, {count} links: all lead somewhere")
    return 1 if dead or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
