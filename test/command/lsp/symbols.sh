# Symbols of a text, definitions of its names, and the prototype of a call that is being
# typed.
# @anykernel: nothing is enabled
python3 - <<'PYTHON'
import os, sys
sys.path.insert(0, os.environ["test"])
from client import Client, URI, place

KINDS = {12: "function", 13: "variable", 14: "constant", 18: "aggregation", 24: "clause"}

with Client() as client:
    client.open("""inline int LIMIT = 5;
self int64_t started;
int64_t twice(int64_t n)
{
	return n * 2;
}
BEGIN,
END
{
	x = LIMIT;
}

syscall::read:entry
/self->started/
{
	this->n = strlen(execname);
	@spent[pid] = sum(twice(this->n));
	trace(nosuch);
}
BEGIN { trace(x); trace(substr("a(b", 1,
END { printa(@spent); }
""")
    for symbol in client.request("textDocument/documentSymbol", {"textDocument": {"uri": URI}}):
        print(KINDS[symbol["kind"]], symbol["name"], place(symbol["range"]), place(symbol["selectionRange"]), symbol["detail"])
    for needle in ("LIMIT;", "self->started/", "twice(this", "n * 2", "this->n)", "x);", "@spent);", "strlen", "nosuch", "execname"):
        found = client.at("definition", needle, 1 if len(needle) > 3 else 0)
        print(needle, "is defined at", found and place(found["range"]))
    for needle, plus in (("substr(", 7), ('substr("a(b", 1', 12), ('1,\n', 2), ("strlen(", 7), ("twice(this->n", 13), ("sum(", 4), ("LIMIT;", 6),
                         ("trace(x)", 8), ("BEGIN", 2)):
        help = client.at("signatureHelp", needle, plus)
        if help:
            signature = help["signatures"][0]
            parameters = [signature["label"][start:end] for start, end in (p["label"] for p in signature["parameters"])]
            help = signature["label"], parameters, help["activeParameter"], signature["documentation"]
        print(needle.strip(), help)
PYTHON
