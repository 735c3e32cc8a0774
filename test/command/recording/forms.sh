# What a run printed comes out again, byte for byte: records, trees of calls, stacks, tables, drawings, speculations.
python3 - "$dtrace" "$test/forms" <<'PY'
import glob, os, re, subprocess, sys
dtrace, forms = sys.argv[1:]
# messages of the compiler and about the command are no facts of the run
OWN = re.compile(rb"dtrace: (?:script|pid \d+ has exited).*\n")
for path in sorted(glob.glob(forms + "/*.d")):
    name = os.path.basename(path)[:-2]
    for form in ("text", "ndjson", "json", "csv"):
        done = subprocess.run([dtrace, "-xoformat=" + form, "-xrecord=" + name, "-s", path, "-c",
                               "dd if=/dev/zero of=/dev/null count=40 status=none"], capture_output=True)
        again = subprocess.run([dtrace, "-xoformat=" + form, "--replay", name], capture_output=True)
        said = OWN.sub(b"", done.stderr)
        if (done.stdout, said, done.returncode) != (again.stdout, again.stderr, again.returncode):
            print(name, form, done, again)
            continue
        lines = len(done.stdout.splitlines())
        print(name, form, "the same,", f"status {again.returncode},", "much" if lines > 5 else f"{lines} lines")
PY
