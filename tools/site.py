#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The documents as a web site, in one directory, to be read without a network.

    site.py DIRECTORY

Everything comes from the sources that people read elsewhere: README.md, doc/**/*.md by
cmark-gfm(1), the manual pages doc/**/*.[1-8] and those of the scripts in toolkit/ by
mandoc(1).  Pages are where their sources are, with another suffix, so that
links between documents stay as they are; manual pages are in man/.

Names of manual pages and of documents in the text become links.  A link to something
that is not there ends the run; test/links.py looks again at what was written.
"""
import glob, html, os, posixpath, re, shutil, subprocess, sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NAME = "DTrace for Linux"
MENU = [("index.html", NAME), ("doc/guide/index.html", "Guide"), ("man/index.html", "Manual"),
        ("doc/toolkit/index.html", "Tools"), ("documents.html", "Documents"), ("NEWS.html", "News")]
ALWAYS = {"dtrace"}         # is in every other line: linked only where its section is named
SECTIONS = {"1": "Commands", "3": "Functions", "4": "Providers", "5": "Files", "7": "The language", "8": "Administration"}
PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="stylesheet" href="{root}style.css">
<nav>{menu}</nav>
<main{kind}>
{body}
</main>
</html>
"""


def read(path):
    with open(os.path.join(TOP, path), encoding="utf-8") as file:
        return file.read()


def find(*patterns):
    os.chdir(TOP)
    return sorted(path for pattern in patterns for path in glob.glob(pattern, recursive=True))


def target(source):
    """Where the page of a document goes."""
    directory, name = posixpath.split(source)
    name = "index.html" if name == "README.md" else name[:-3] + ".html"
    return posixpath.join(directory, name)


def slug(text):
    """The anchor of a heading, as GitHub makes it."""
    words = html.unescape(re.sub(r"<[^>]+>", "", text)).lower()
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")


class Site:
    def __init__(self, out):
        self.out = out
        self.documents = find("*.md", "doc/**/*.md", "test/README.md")
        self.pages = {}         # name.section: what it is about
        self.where = {}         # name: name.section

    def write(self, path, title, body, kind=""):
        root = "../" * path.count("/")
        menu = "".join(f'<a href="{root}{to}"{" class=here" * (to == path)}>{text}</a>' for to, text in MENU)
        place = os.path.join(self.out, path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "w", encoding="utf-8") as file:
            file.write(PAGE.format(title=html.escape(title), root=root, menu=menu, body=body, kind=kind))

    # ---------------------------------------------------------- links
    def link(self, name, section, path):
        """To a manual page, from a page; None if there is none."""
        page = f"{name}.{section}" if section else self.where.get(name)
        return posixpath.relpath(f"man/{page}.html", posixpath.dirname(path) or ".") if page in self.pages else None

    def link_words(self, body, path):
        """Names of pages outside of links and blocks."""
        parts, inside = re.split(r"(<[^>]+>)", body), 0
        here = posixpath.basename(path)[:-5] if path.startswith("man/") else ""
        for i, part in enumerate(parts):
            if re.match(r"</?(a|pre|h[1-6])[ >]", part):
                inside += -1 if part.startswith("</") else 1
            elif not inside and part and part[0] != "<":
                if i and i + 1 < len(parts) and re.match(r"<(code|b|i|em|strong)\b", parts[i - 1]):
                    section = re.match(r"\((\d)\)", parts[i + 2]) if i + 2 < len(parts) else None
                    to = self.link_code(html.unescape(part), section and section[1], path, here)
                    if to:
                        parts[i] = f'<a href="{to}">{part}</a>'
                        continue
                parts[i] = re.sub(r"\b([a-z][\w.-]*)\((\d)\)", lambda m: self.reference(m, path, here), part)
        return "".join(parts)

    def reference(self, match, path, here):
        to = self.link(match[1], match[2], path)
        return f'<a href="{to}">{match[0]}</a>' if to and f"{match[1]}.{match[2]}" != here else match[0]

    def link_code(self, text, section, path, here):
        start = posixpath.dirname(path) or "."
        if text in self.documents:
            return posixpath.relpath(target(text), start)
        if text in ("doc/toolkit/", "doc/guide/"):
            return posixpath.relpath(text + "index.html", start)
        if not section and (text in ALWAYS or len(text) < 3) or (section and f"{text}.{section}" == here) or self.where.get(text) == here:
            return None
        return self.link(text, section, path)

    def relative(self, match, source):
        """A link of a document, as one of its page."""
        to, hash_, anchor = match[2].partition("#")
        if not to or re.match(r"[a-z]+:", to):
            return match[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), html.unescape(to)))
        if path in self.documents:
            path = target(path)
        elif os.path.isfile(path):
            os.makedirs(os.path.dirname(os.path.join(self.out, path)), exist_ok=True)
            shutil.copy(path, os.path.join(self.out, path))
        else:
            sys.exit(f"{source}: there is no {path}")
        to = posixpath.relpath(path, posixpath.dirname(target(source)) or ".")
        return f'{match[1]}="{to}{hash_}{anchor}"'

    # ------------------------------------------------------ documents
    @staticmethod
    def heading(match, seen):
        name = slug(match[2])
        seen[name] = seen.get(name, -1) + 1
        name += f"-{seen[name]}" if seen[name] else ""
        return f'<h{match[1]} id="{name}">{match[2]}</h{match[1]}>'

    @staticmethod
    def session(match):
        """Commands stand out from what they print."""
        lines, open_quote = [], False
        for line in match[1].split("\n"):
            is_command = open_quote or re.match(r"[#$] ", line)
            if is_command:
                open_quote ^= html.unescape(line).count("'") % 2 == 1 or False
                if not open_quote and line.endswith("\\"):
                    line += "\n"
            lines.append(f"<b>{line}</b>" if is_command else line)
        return '<pre class="session"><code>' + "\n".join(lines) + "</code></pre>"

    def document(self, source):
        body = subprocess.run(["cmark-gfm", "-e", "table", "-e", "autolink", source], check=True, capture_output=True, text=True).stdout
        body = re.sub(r"<!-- raw HTML omitted -->\n?", "", body)
        seen = {}
        body = re.sub(r"<h([1-6])>(.*?)</h\1>", lambda m: self.heading(m, seen), body)
        body = re.sub(r'(href|src)="([^"]*)"', lambda m: self.relative(m, source), body)
        body = re.sub(r'<pre><code class="language-console">(.*?)</code></pre>', self.session, body, flags=re.S)
        if "/toolkit/" in source:
            body = re.sub(r"<tr>\n<td>([^<]*)</td>", lambda m: "<tr>\n<td>" + re.sub(r"[\w.-]+", r"<code>\g<0></code>", m[1]) + "</td>", body)
        body = self.link_words(body, target(source))
        sections = re.findall(r'<h2 id="(.*?)">(.*?)</h2>', body)
        if len(sections) > 4 and source != "README.md":
            contents = "".join(f'<li><a href="#{name}">{re.sub("<[^>]+>", "", text)}</a></li>' for name, text in sections)
            body = re.sub(r"(</h1>)", rf"\1\n<details open><summary>On this page</summary><ul>{contents}</ul></details>", body, count=1)
        title = re.search(r"<h1.*?>(.*?)</h1>", body)
        self.write(target(source), re.sub("<[^>]+>", "", title[1]), body)

    # --------------------------------------------------- manual pages
    def manuals(self):
        """(name, section, text) of all manual pages."""
        for path in find("doc/**/*.[1-8]"):
            name, _, section = posixpath.basename(path).rpartition(".")
            yield name, section, read(path)
        for path in find("toolkit/*"):
            page = subprocess.run(["awk", "-f", "tools/tool_manual.awk", path], check=True, capture_output=True, text=True, cwd=TOP)
            yield posixpath.basename(path), "8", page.stdout

    @staticmethod
    def about(text):
        found = re.search(r"^\.Nd (.*)", text, re.M) or re.search(r"^\.SH NAME\n.*?\\- ?(.*)", text, re.M | re.S)
        first = found[1].split("\n.")[0] if found else ""
        return re.sub(r"\\(?:f.|&)", "", first).replace("\\-", "-").replace("\n", " ").strip()

    def manual(self, name, section, text):
        path = f"man/{name}.{section}.html"
        body = subprocess.run(["mandoc", "-Thtml", "-Ofragment,man=%N.%S.html"], input=text, check=True, capture_output=True, text=True).stdout
        body = re.sub(r'<a class="Xr" href="([^"]*)\.html">(.*?)</a>',
                      lambda m: m[0] if m[1] in self.pages else m[2], body, flags=re.S)
        self.write(path, f"{name}({section})", self.link_words(body, path), ' class="manual"')

    def rows(self, pages, path):
        return "".join(f'<tr><td><a href="{self.link(*page.rsplit(".", 1), path)}">{page.rsplit(".", 1)[0]}</a></td>'
                       f"<td>{html.escape(self.pages[page])}</td></tr>\n" for page in pages)

    # -------------------------------------------------------- indexes
    def indexes(self, tools):
        parts = ["<h1>Manual pages</h1>"]
        for section in sorted({page.rsplit(".", 1)[1] for page in self.pages}):
            mine = sorted(p for p in self.pages if p.endswith("." + section) and p not in tools)
            if mine:
                parts.append(f'<h2 id="section-{section}">{SECTIONS.get(section, "Section")} ({section})</h2>\n<table>\n'
                             f'{self.rows(mine, "man/index.html")}</table>')
        parts.append(f'<h2 id="tools">Tools (8)</h2>\n<table>\n{self.rows(sorted(tools), "man/index.html")}</table>')
        self.write("man/index.html", "Manual pages", "\n".join(parts), ' class="index"')

        areas = "".join(f'<li><a href="{posixpath.basename(target(path))}">{self.title(path)}</a></li>'
                        for path in self.documents if path.startswith("doc/toolkit/"))
        self.write("doc/toolkit/index.html", "Tools", "<h1>Tools</h1>\n<p>Scripts that are installed as commands. Each has "
                   "<code>--help</code> and a manual page.</p>\n<h2 id=\"areas\">By area, with scripts of other systems</h2>\n"
                   f"<ul>{areas}</ul>\n<h2 id=\"all\">All</h2>\n<table>\n{self.rows(sorted(tools), 'doc/toolkit/index.html')}</table>",
                   ' class="index"')

        others = [path for path in self.documents if path not in ("README.md", "NEWS.md") and posixpath.dirname(path) != "doc/toolkit"]
        self.write("documents.html", "Documents", "<h1>Documents</h1>\n<ul>" + "".join(
            f'<li><a href="{target(path)}">{self.title(path)}</a></li>' for path in others) + "</ul>", ' class="index"')

    @staticmethod
    def title(source):
        return html.escape(re.search(r"^# (.*)", read(source), re.M)[1]).replace("`", "")

    def build(self):
        shutil.rmtree(self.out, ignore_errors=True)
        os.makedirs(self.out)
        shutil.copy(os.path.join(TOP, "doc/site.css"), os.path.join(self.out, "style.css"))
        manuals = list(self.manuals())
        tools = {posixpath.basename(path) + ".8" for path in find("toolkit/*")}
        for name, section, text in manuals:
            self.pages[f"{name}.{section}"] = self.about(text)
            self.where.setdefault(name, f"{name}.{section}")
        for manual in manuals:
            self.manual(*manual)
        for source in self.documents:
            self.document(source)
        self.indexes(tools)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: site.py DIRECTORY")
    Site(os.path.abspath(sys.argv[1])).build()
