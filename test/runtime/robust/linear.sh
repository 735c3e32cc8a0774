# Twice the text takes about twice the instructions, whatever it is made of;
# counted, not timed.
# @once: it counts what one build does
export dtrace
exec python3 - <<'END'
import concurrent.futures, os, re, subprocess

def many(text, n):
    return "".join(text.replace("#", str(i)) for i in range(n))

END = "BEGIN { exit(0); }\n"
# what a run costs that compiles nothing comes first; name -> (how many, options, text of n)
KINDS = {
    "nothing": (0, "-e", lambda n: END),
    "translators": (1000, "-e", lambda n: many("struct o# { int a; }; translator struct o# < int *P > { a = *P; };\n", n) + END),
    "members of a translator": (2000, "-e", lambda n: "struct o {" + many("int m#;\n", n) + "}; translator struct o < int *P > {"
                                + many("m# = *P;\n", n) + "};" + END),
    "probes of a provider": (2000, "-e", lambda n: "provider p {" + many("probe q#(int);\n", n) + "};" + END),
    "structs in structs": (1500, "-e", lambda n: "struct s0 { int a; };" + "".join(
        f"struct s{i} {{ struct s{i - 1} m; }};\n" for i in range(1, n)) + f"BEGIN {{ x = sizeof(struct s{n - 1}); }}"),
    "an unknown name behind variables": (1000, "-e", lambda n: "BEGIN {" + many("v# = #;\n", n) + "x = v1y; }"),
    "an unknown name before clauses": (1000, "-e", lambda n: "BEGIN { x = nosuch; }\n" + many("BEGIN { x = #; }\n", n)),
    "a long expression": (1200, "-e", lambda n: "BEGIN { x = 0" + many(" + #", n) + "; }"),
    "line directives": (1500, "-e", lambda n: "".join(f'# {i + 1} "file{i}.d"\n' for i in range(n)) + END),
    "arguments": (1000, "-e", lambda n: "BEGIN {" + many("x = $1;\n", n) + "}"),
}

def instructions(kind, factor):
    n, options, text = KINDS[kind]
    name = f"{re.sub(' ', '_', kind)}.{factor}.d"
    with open(name, "w") as script:
        script.write(text(n * factor))
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", os.environ["dtrace"], *options.split(),
                           "-s", name, *(["7"] if kind == "arguments" else [])], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          text=True, errors="replace")
    found = re.search(r"Collected : (\d+)", done.stderr)
    if not found:
        return print(kind, "was not counted:", done.stderr[-500:])
    return int(found.group(1))

with concurrent.futures.ThreadPoolExecutor(2) as pool:
    counts = {kind: [pool.submit(instructions, kind, factor) for factor in (1, 2)[:n + 1]] for kind, (n, _, _) in KINDS.items()}
    nothing = counts.pop("nothing")[0].result()
    for kind, results in counts.items():
        one, two = (result.result() - nothing for result in results)
        compiled = one > 100 * KINDS[kind][0]      # and not refused at the door
        print(f"{kind}: {'linear' if compiled and two < 2.6 * one else f'{one} instructions become {two}'}")
END
