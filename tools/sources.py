#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Provider files of real projects, from Debian's source packages, for tests.

    sources.py DIRECTORY

Nothing of others is kept in this repository; the tests that build with other
projects' provider files find them here, or say that they were skipped.  What
is there already is not fetched again.  Tarballs are read as they arrive, and
no further than needed.  The mirror is the one that apt uses here.
"""
import lzma, os, re, sys, tarfile, urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "test"))
from guest import mirror

WANTED = {  # name: (source package, files)
    "postgresql": (r"postgresql-\d+", ["src/backend/utils/probes.d"]),
    "python": (r"python3\.\d+", ["Include/pydtrace.d"]),
    "ruby": (r"ruby\d+\.\d+", ["probes.d", "vm_opts.h"]),
    "php": (r"php\d+\.\d+", ["Zend/zend_dtrace.d"]),
}


def release():
    with open("/etc/os-release", encoding="utf-8") as file:
        found = re.search(r"^VERSION_CODENAME=(\w+)", file.read(), re.M)
    return found[1] if found else "stable"


def tarballs(names):
    """{name: URL of the upstream tarball}"""
    base = mirror().rstrip("/") + "/"
    with urllib.request.urlopen(f"{base}dists/{release()}/main/source/Sources.xz", timeout=60) as reply:
        index = lzma.decompress(reply.read()).decode()
    found = {}
    for paragraph in index.split("\n\n"):
        package = re.match(r"Package: (\S+)", paragraph)
        for name in names:
            if package and re.fullmatch(WANTED[name][0], package[1]):
                directory = re.search(r"^Directory: (\S+)", paragraph, re.M)[1]
                tarball = re.search(r" (\S+\.orig\.tar\.\w+)$", paragraph, re.M)[1]
                found[name] = f"{base}{directory}/{tarball}"
    return found


def fetch(url, files, directory):
    wanted = set(files)
    os.makedirs(directory, exist_ok=True)
    with urllib.request.urlopen(url, timeout=60) as reply, tarfile.open(fileobj=reply, mode="r|*") as tar:
        for member in tar:
            path = member.name.split("/", 1)[-1]
            if path not in wanted:
                continue
            with open(os.path.join(directory, os.path.basename(path)), "wb") as out:
                out.write(tar.extractfile(member).read())
            wanted.discard(path)
            if not wanted:
                return
    raise RuntimeError(f"{url} has no {', '.join(sorted(wanted))}")


def main():
    top = sys.argv[1]
    missing = [name for name, (_, files) in WANTED.items() if not all(
        os.path.exists(os.path.join(top, name, os.path.basename(file))) for file in files)]
    if not missing:
        print("provider files: everything is there")
        return
    try:
        urls = tarballs(missing)
        for name in missing:
            print(f"provider files: fetching {name}", flush=True)
            fetch(urls[name], WANTED[name][1], os.path.join(top, name))
    except (SystemExit, OSError, KeyError, RuntimeError, tarfile.TarError, lzma.LZMAError) as error:
        print(f"provider files: {error}; tests that need them will be skipped")


main()
