#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The table of what works on which kernel: what `dtrace --check` says in each guest.

    kernels.py [--kernels 6.1,6.12,6.18,newest] FILE

Boots the kernels of test/guest.py with the built dtrace, and replaces the text of FILE
between the lines <!-- table --> and <!-- end of table -->.  `make kernels-page` runs it.
The modules that some providers are about are loaded first.  /dev, /proc and processors are
the emulator's, so what depends on the machine (cpc) shows its limits.
"""
import argparse, os, re, subprocess, sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BEGIN, END = "<!-- table -->\n", "<!-- end of table -->\n"
COMMAND = ("cd {top} && modprobe -a nfsd iscsi_target_mod 2>/dev/null; uname -r | sed 's/^/@kernel /'; "
           "build/dtrace --check | sed 's/^/@check /'")
WORDS = {"works": "yes", "works in part": "in part", "not here": "no"}


def checked(series):
    """(kernel's release, {provider: (state, reason)}) of one boot."""
    directory = f"{TOP}/build/guests/{series}"
    subprocess.check_call([f"{TOP}/test/guest.py", "fetch", series, directory])
    said = subprocess.run([f"{TOP}/test/guest.py", "run", "--threads", "single", directory, COMMAND.format(top=TOP)],
                          capture_output=True, text=True, errors="replace").stdout
    release = re.search(r"@kernel (\S+)", said)
    providers, last = {}, None
    for line in re.findall(r"(?m)^@check (.*)$", said):
        match = re.match(r"(\S+) +(works in part|works|not here)\s*$", line)
        if match:
            last = match[1]
            providers[last] = (WORDS[match[2]], "")
        elif last and line.startswith(" "):
            state, reason = providers[last]
            providers[last] = (state, (reason + " " + line.strip()).strip())
    if not release or not providers:
        sys.exit(f"kernels.py: the guest of {series} said nothing:\n{said[-2000:]}")
    return release[1], providers


def table(results):
    """Rows of the table, then the reasons of what is not "yes"."""
    names = list(dict.fromkeys(name for _, providers in results for name in providers))
    yield "| provider | " + " | ".join(re.match(r"\d+\.\d+", release)[0] for release, _ in results) + " |\n"
    yield "|---" * (len(results) + 1) + "|\n"
    for name in names:
        yield f"| {name} | " + " | ".join(providers.get(name, ("no", ""))[0] for _, providers in results) + " |\n"
    yield "\nThe kernels are " + ", ".join(f"`{release}`" for release, _ in results) + ".\nWhat is missing:\n\n"
    for name in names:
        reasons = {}
        for release, providers in results:
            if providers.get(name, ("yes", ""))[1]:
                reasons.setdefault(providers[name][1], []).append(re.match(r"\d+\.\d+", release)[0])
        for reason, kernels in reasons.items():
            yield f"- {name}, {', '.join(kernels) if len(kernels) < len(results) else 'everywhere'}: {reason}.\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kernels", default="6.1,6.12,6.18,newest")
    parser.add_argument("file")
    options = parser.parse_args()
    with open(options.file) as file:
        before, rest = file.read().split(BEGIN)
        after = rest.split(END)[1]
    results = [checked(series) for series in options.kernels.split(",")]
    with open(options.file, "w") as file:
        file.write(before + BEGIN + "".join(table(results)) + END + after)


if __name__ == "__main__":
    main()
