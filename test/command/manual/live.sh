# The examples of dtlive.8 run: a server says where it is, its programs trace, a metric becomes D.
# @once: a page for people, with libraries that guests and sanitizers lack
# @timeout: 300
. "$suite/lib.sh"
python3 - "$(dirname "$dtrace")/dtlive" "$suite/../doc/dtlive.8" <<'PY'
import json, re, shlex, subprocess, sys, time, urllib.request

dtlive, page = sys.argv[1:]
text = open(page).read().split(".SH EXAMPLES")[1]


def ask(url, call):
    base, token = url.split("/?token=")
    request = urllib.request.Request(base + "/api/1/" + call, headers={"Authorization": "Bearer " + token})
    return json.load(urllib.request.urlopen(request))


def serves(words):
    """It prints a URL, and what it was given runs, or has ended with its command."""
    server = subprocess.Popen([dtlive, *words], stdout=subprocess.PIPE, text=True)
    try:
        url = next(line for line in server.stdout if "?token=" in line).split()[-1]
        while any(one["state"] == "starting" for one in ask(url, "instrumentations")["instrumentations"]):
            time.sleep(0.1)
        return [one["state"] for one in ask(url, "instrumentations")["instrumentations"] if one["state"] == "failed"] or "serves"
    finally:
        server.terminate()
        server.wait()


for example in re.findall(r"^\.nf\n[#$] dtlive *(.*?)\n\.fi", text, re.M | re.S):
    words = shlex.split(example)
    if words[:1] == ["program"]:
        said = subprocess.run([dtlive, *words], capture_output=True, text=True)
        print("a program" if said.returncode == 0 and "@" in said.stdout else said.stderr)
    else:
        print(serves(words))
PY
