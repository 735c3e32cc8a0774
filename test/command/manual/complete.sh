# Everything that dtrace knows has its place in the manual: providers and their probes,
# members of their structs, options, functions, variables, macros, pragmas.
# @timeout: 300
"$dtrace" --check > providers || exit 1
"$dtrace" -x help > options || exit 1
for provider in proc sched io ip tcp udp mib sysinfo vminfo fsinfo vfs fpuinfo lockstat; do
	"$dtrace" -lP $provider
done > probes
python3 - "$suite/.." <<'PY'
import glob, os, re, sys
TOP = sys.argv[1]


def read(path):
    with open(f"{TOP}/{path}", encoding="utf-8") as file:
        return file.read()


def page(name):
    """The text of a page, without its macros and fonts."""
    text = re.sub(r"\\f.", "", read(f"doc/{name}").replace("\\-", "-").replace("\\(ga", "`"))
    return re.sub(r"\\&", "", text)


def section(text, name):
    return re.search(r"^\.SH %s\n(.*?)(?=^\.SH |\Z)" % re.escape(name), text, re.M | re.S)[1]


def has(text, word):
    return re.search(r"(?<![\w-])%s(?![\w-])" % re.escape(word), text)


def look(kind, words, text, where, least):
    words = set(words)
    for word in sorted(words):
        if not has(text, word):
            print(f"{where} does not have the {kind} {word}")
    print(f"{kind}s: " + ("all looked for" if len(words) >= least else f"only {sorted(words)}"))


language, command = page("d.7"), page("dtrace.8")
links = dict(link.split(":") for link in re.search(r"^MAN4_LINKS := (.*)", read("Makefile"), re.M)[1].split())
pages = {os.path.basename(path)[7:-2]: page(os.path.basename(path)) for path in glob.glob(f"{TOP}/doc/dtrace_*.4")}

known = re.findall(r"^([a-z]\w*) ", open("providers").read(), re.M)
for provider in known:
    if links.get(provider, provider) not in pages:
        print(f"there is no doc/dtrace_{provider}.4")
    elif not has(pages[links.get(provider, provider)], f"dtrace_{provider}"):
        print(f"dtrace_{provider}(4) does not have its name")
table = section(language, "PROBE DESCRIPTIONS")
look("provider", (f"dtrace_{links.get(provider, provider)}(4)" for provider in known), table, "d(7)", 25)

lines = [line.split() for line in open("probes") if re.match(r" *\d", line)]
for _, provider, *names in lines:
    for name in names[1:] if provider == "vfs" else names[-1:]:
        if not has(pages[provider], re.sub("^vop_", "", name)):
            print(f"dtrace_{provider}(4) does not have the probe {name}")
print("probes:", "all looked for" if len(lines) > 150 else lines)

members = {}
for path in sorted(glob.glob(f"{TOP}/dlib/*.d")):
    text = re.sub(r"/\*.*?\*/", "", open(path).read(), flags=re.S)
    for body, name in re.findall(r"^typedef struct \w+ \{(.*?)^\} (\w+);", text, re.M | re.S):
        if not name.startswith("_"):
            members[name] = re.findall(r"(\w+)(?:\[\w+\])?;", body)
for name, all_of_it in members.items():
    owner = next((text for text in pages.values() if re.search(r"^\.SS .*\b%s\b" % name, text, re.M)), None)
    if owner is None:
        print(f"no page has a section for {name}")
        continue
    part = re.search(r"^\.SS [^\n]*\b%s\b.*?(?=^\.S[SH] |\Z)" % name, owner, re.M | re.S)[0]
    for member in all_of_it:
        if not has(part, member):
            print(f"{name}: no member {member} in its page")
print("structs:", "all looked for" if len(members) > 20 else sorted(members))

look("option", re.findall(r"^(\w+) ", open("options").read(), re.M), section(command, "RUN OPTIONS"), "dtrace(8)", 100)
functions = re.findall(r"\b(?:FUNCTION|AGGREGATE)\(([a-z]\w*)\)", re.sub(r"/\*.*?\*/", "", read("src/builtin/functions.def") + read("src/agg/functions.def"), flags=re.S))
look("function", (f"{name}(" for name in functions), re.sub(r"\(", "( ", language), "d(7)", 90)
variables = re.findall(r"\bVARIABLE\((\w+)\)", read("src/builtin/variables.def"))
for path in ("psinfo.d", "sched.d", "io.d"):
    variables += re.findall(r"^inline [\w *]*?\b([a-z]\w*)(?:\[[^]]*\])? =", read(f"dlib/{path}"), re.M)
look("variable", variables, section(language, "BUILT-IN VARIABLES"), "d(7)", 60)
look("pragma", re.findall(r'^\t+\{ "(\w+)", pragma_', read("src/lang/pragma.c"), re.M), section(language, "PRAGMAS"), "d(7)", 8)
look("macro", ("$" + name for name in re.findall(r'\{ "(\w+)", value_', read("src/lang/macro.c"))), section(language, "MACROS"), "d(7)", 10)
PY
