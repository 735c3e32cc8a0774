# SPDX-License-Identifier: Apache-2.0
"""Random D programs that know what they do.

A program is a tree of nodes.  Each node prints itself as D, knows its D type
and computes its value by the rules of the language: integers are 64 bits (here:
signed ones) until they are cast, traced, used as a key, or stored in a member
or an array's element; the type of an operation is that of its higher rank and
decides about signs; a variable that is not declared is as wide as the widest
value that is assigned to it (infer()); strings are values, cut to strsize,
and NULL is a string, too.  `Program.expect()` is the list of what the program
traces.  The node UNKNOWN marks values that only the machine knows (pid).

Programs read no memory but the driver's two pages (MEMORY) and addresses
where surely nothing is, so that the answer is the same everywhere.
"""

MEMORY, MEMORY_SIZE = 0x10000000, 8192
LETTERS = b"abcdefghij/KLMNOP.0123 ,xyz-_%"
BYTES = bytes(0 if i % 37 == 36 else LETTERS[(i * 7 + i // 37) % len(LETTERS)] for i in range(MEMORY_SIZE))

INT, UINT, LONG, ULONG, CHAR, SIZE_T = (4, True), (4, False), (8, True), (8, False), (1, True), (8, False)
TYPE_NAMES = {
    (1, True): ["char", "int8_t", "signed char"], (1, False): ["unsigned char", "uint8_t"],
    (2, True): ["short", "int16_t"], (2, False): ["unsigned short", "uint16_t"],
    (4, True): ["int", "int32_t"], (4, False): ["unsigned int", "uint32_t"],
    (8, True): ["long", "long long", "int64_t"], (8, False): ["unsigned long", "unsigned long long", "uint64_t"]}
TYPES = list(TYPE_NAMES)


class Fault(Exception):
    """A run-time fault; value None: not said."""
    def __init__(self, code, value=None):
        self.code, self.value = code, value


class Unknown(Exception):
    """The value depends on the machine."""


def cut(value, kind):
    bits = kind[0] * 8
    value &= (1 << bits) - 1
    return value - (1 << bits) if kind[1] and value >> (bits - 1) else value


def word(value):
    return cut(value, LONG)


def signed_as(value, kind):
    """64 bits, read with the sign of a type."""
    return cut(value, (8, kind[1]))


def rank(kind):
    return kind[0] * 16 + (not kind[1])


def promote(a, b):
    return a if rank(a) >= rank(b) else b


def divide(x, y):
    quotient = abs(x) // abs(y)
    return -quotient if (x < 0) != (y < 0) else quotient


# ------------------------------------------------------------------- nodes

class Node:
    """`sort` is int, str, stmt, or * and the target of a pointer; `kids` in order of evaluation."""
    def __init__(self, sort, text, kids=(), run=None, kind=None, folds=False):
        self.sort, self.format, self.kids, self.run, self.kind_of = sort, text, list(kids), run, kind
        self.folds = folds      # does the compiler know the value?

    def constant(self):
        """The value that the compiler knows, or None."""
        folds = self.folds(*self.kids) if callable(self.folds) else self.folds
        return self.value(None) if folds else None

    def text(self):
        return self.format.format(*(kid.text() for kid in self.kids)) if self.kids else self.format

    @property
    def kind(self):
        return self.kind_of(*self.kids) if callable(self.kind_of) else self.kind_of

    def value(self, env):
        return self.run(env, *self.kids)

    is_assignment = False       # = and op=, but not <<= and >>=: those take their type from the left
    is_action = False           # does it record?
    aggregates = False

    def walk(self):
        """In the order in which the compiler looks at them, if it does."""
        for kid in self.checked_kids():
            yield from kid.walk()
        yield self

    def checked_kids(self):
        return self.kids


class Choice(Node):
    """?: of which a constant condition leaves nothing but one branch."""
    def __init__(self, condition, x, y):
        super().__init__(x.sort, "({0} ? {1} : {2})", (condition, x, y))

    def branch(self):
        known = self.kids[0].constant()
        return None if known is None else self.kids[1 if known else 2]

    def constant(self):
        return self.branch().constant() if self.branch() and self.sort == "int" else None

    @property
    def kind(self):
        if self.branch() or self.sort != "int":
            return self.branch().kind if self.branch() else None
        return promote(self.kids[1].kind, self.kids[2].kind)

    def value(self, env):
        condition, x, y = self.kids
        return (self.branch() or (x if condition.value(env) else y)).value(env)

    def checked_kids(self):
        return [self.kids[0], self.branch()] if self.branch() else self.kids


def are_constants(*kids):
    return all(kid.sort == "int" and kid.constant() is not None for kid in kids)


class Place(Node):
    """Something that can be assigned to."""
    def __init__(self, sort, text, kind, key, kids=(), find=None, width=0, is_wide=False):
        super().__init__(sort, text, kids, None, kind)
        self.key, self.find, self.width, self.is_wide = key, find, width, is_wide

    def locate(self, env):
        return self.find(env, *self.kids) if self.find else self.key

    def load(self, env, key):
        if self.sort == "str":
            return env.memory.get(key, None if str(key).startswith("self->") else b"")     # a thread has none yet
        return env.memory.get(key, 0)

    def fit(self, env, value):
        if self.sort == "str":
            return value if value is None else value[:env.strsize]
        if self.sort != "int":
            return cut(value, ULONG)
        if self.is_wide:
            return word(value)
        return word(cut_bits(value, self.width, self.kind) if self.width else cut(value, self.kind))

    def store(self, env, key, value):
        env.memory[key] = self.fit(env, value)
        return env.memory[key]

    def value(self, env):
        return self.load(env, self.locate(env))


class Inferred(Place):
    """A variable that nobody declared: its type comes from what is assigned to it."""
    def __init__(self, text):
        super().__init__("int", text, None, text, is_wide=True)
        self.is_open = False

    def first(self, value):
        self.kind_of, self.is_open = value.kind, has_no_sign(value)

    def more(self, value):
        """True: it has become wider."""
        kind, is_open = self.kind, self.is_open
        self.is_open = is_open and has_no_sign(value)
        known = value.constant()
        if value.kind[0] <= kind[0] or kind[0] < 4:
            return False
        if known is not None and (value.kind[1] or known >= 0) and cut(known, kind) == known:
            return False
        self.kind_of = (value.kind[0], value.kind[1] if is_open else kind[1])
        return True


def has_no_sign(value):
    known = value.constant()
    return known is not None and value.kind[1] and known >= 0


def infer(clauses):
    """Types of all Inferred, as the compiler finds them: in order of the text, again while something widens."""
    seen = set()
    for _ in range(9):
        widened = False
        for clause in clauses:
            for node in clause.walk():
                place = node.kids[0] if node.is_assignment else None
                if not isinstance(place, Inferred):
                    continue
                if place.key not in seen:
                    place.first(node.kids[1])
                    seen.add(place.key)
                elif place.more(node.kids[1]):
                    widened = True
        if not widened:
            break


def element(text, kind, name, kinds, keys):
    """Of an associative array; keys are converted to the types of the declaration."""
    def find(env, *keys):
        return (name, *(given(key.value(env)) if k == "str" else cut(key.value(env), k) for key, k in zip(keys, kinds)))
    return Place("int", text, kind, None, keys, find, is_wide=True)


def cut_bits(value, width, kind):
    value &= (1 << width) - 1
    return value - (1 << width) if kind[1] and value >> (width - 1) else value


def literal(value, text, kind):
    return Node("int", text, (), lambda env: word(value), kind, folds=True)


def string_literal(value):
    text = '"' + "".join(chr(c) if 32 <= c < 127 and c not in b'"\\{}' else f"\\{c:03o}" for c in value) + '"'
    return Node("str", text, (), lambda env: value[:env.strsize])


ARITHMETIC = {
    "+": lambda x, y: x + y, "-": lambda x, y: x - y, "*": lambda x, y: x * y, "&": lambda x, y: x & y,
    "|": lambda x, y: x | y, "^": lambda x, y: x ^ y, "/": divide, "%": lambda x, y: x - divide(x, y) * y}
COMPARISON = {
    "==": lambda x, y: x == y, "!=": lambda x, y: x != y, "<": lambda x, y: x < y, "<=": lambda x, y: x <= y,
    ">": lambda x, y: x > y, ">=": lambda x, y: x >= y}
SHIFTS = {"<<": lambda x, y: x << (y & 63), ">>": lambda x, y: x >> (y & 63)}


def compute(op, x, x_kind, y, y_kind):
    kind = x_kind if op in SHIFTS else promote(x_kind, y_kind)
    x = signed_as(x, kind)
    if op in SHIFTS:
        return word(SHIFTS[op](x, y))
    y = signed_as(y, kind)
    if op in "/%" and y == 0:
        raise Fault("DIVZERO")
    return word(ARITHMETIC[op](x, y))


def binary(op, x, y):
    def run(env, x, y):
        a = x.value(env)
        return compute(op, a, x.kind, y.value(env), y.kind)
    return Node("int", f"({{0}} {op} {{1}})", (x, y), run,
                (lambda x, y: x.kind) if op in SHIFTS else lambda x, y: promote(x.kind, y.kind), folds=are_constants)


def comparison(op, x, y):
    def run(env, x, y):
        a, b = x.value(env), y.value(env)
        if x.sort == "int":
            kind = promote(x.kind, y.kind)
            a, b = signed_as(a, kind), signed_as(b, kind)
        elif x.sort == "str":
            a, b = (-1, b"") if a is None else (0, a), (-1, b"") if b is None else (0, b)
        return int(COMPARISON[op](a, b))
    return Node("int", f"({{0}} {op} {{1}})", (x, y), run, INT, folds=are_constants)


def unary(op, x):
    rules = {"-": lambda v: -v, "~": lambda v: ~v, "+": lambda v: v}
    if op == "!":
        return Node("int", "(!{0})", (x,), lambda env, x: int(x.value(env) == 0), INT, folds=are_constants)
    return Node("int", f"({op}{{0}})", (x,), lambda env, x: word(rules[op](x.value(env))), lambda x: x.kind,
                folds=are_constants)


def logical(op, x, y):
    def run(env, x, y):
        a = x.value(env) != 0
        if op == "&&":
            return int(a and y.value(env) != 0)
        if op == "||":
            return int(a or y.value(env) != 0)
        return int(a != (y.value(env) != 0))

    def folds(x, y):
        decides = {"&&": False, "||": True}
        return are_constants(x) and (are_constants(y) or (x.value(None) != 0) == decides.get(op))
    return Node("int", f"({{0}} {op} {{1}})", (x, y), run, INT, folds)


def ternary(condition, x, y):
    return Choice(condition, x, y)


def cast(kind, name, x):
    return Node("int", f"(({name}){{0}})", (x,), lambda env, x: word(cut(x.value(env), kind)), kind,
                folds=lambda x: x.constant() is not None)


def comma(x, y):
    def run(env, x, y):
        x.value(env)
        return y.value(env)
    return Node(y.sort, "({0}, {1})", (x, y), run, lambda x, y: y.kind)


def assignment(place, value):
    def run(env, place, value):
        key = place.locate(env)
        try:
            return place.store(env, key, value.value(env))
        except Fault:
            # A thread's string remembers a page that was not there and tries again.
            if place.sort == "str" and place.text().startswith("self") and "copyinstr" in value.text():
                raise Unknown()
            raise
    node = Node(place.sort, "({0} = {1})", (place, value), run, lambda place, value: place.kind)
    node.is_assignment = True
    return node


def compound(op, place, value):
    def run(env, place, value):
        key = place.locate(env)
        x = place.load(env, key)
        return place.store(env, key, compute(op, x, place.kind, value.value(env), value.kind))
    node = Node("int", f"({{0}} {op}= {{1}})", (place, value), run, lambda place, value: place.kind)
    node.is_assignment = op not in SHIFTS
    return node


def increment(op, is_post, place, scale=1):
    step = scale if op == "++" else -scale

    def run(env, place):
        key = place.locate(env)
        old = place.load(env, key)
        new = place.store(env, key, old + step)
        return old if is_post else new
    return Node(place.sort, f"({{0}}{op})" if is_post else f"({op}{{0}})", (place,), run, lambda place: place.kind)


# ---------------------------------------------------------------- pointers

def pointer_of(target, x):
    return Node("*" + target, f"(({target} *){{0}})", (x,), lambda env, x: cut(x.value(env), ULONG),
                folds=are_constants)


def pointer_step(op, pointer, scale, x):
    def run(env, pointer, x):
        p = pointer.value(env)
        step = x.value(env) * scale
        return cut(p + step if op == "+" else p - step, ULONG)
    return Node(pointer.sort, f"({{0}} {op} {{1}})", (pointer, x), run)


def pointer_difference(x, y, scale):
    return Node("int", "({0} - {1})", (x, y),
                lambda env, x, y: divide(cut(x.value(env) - y.value(env), LONG), scale), LONG)


def dereference(target, kind, x):
    """Of an address where nothing is."""
    def run(env, x):
        raise Fault("BADADDR", cut(x.value(env), ULONG) & 0xffffff)
    return Node("int", f"(*({target} *)({{0}} & 0xffffffULL))", (x,), run, kind)


# --------------------------------------------------------------- functions

def given(value):
    """The bytes of a string that must not be NULL."""
    if value is None:
        raise Fault("BADADDR")
    return value


def substr(s, start, length=2 ** 31 - 1):
    n = len(s)
    if start < 0:
        start += n
        if start < 0 and length > 0 and start + length > 0:
            length, start = length + start, 0
        if start < 0:
            return b""
    if start >= n:
        return b""
    if length < 0:
        length = n - start + length
        if length < 0:
            return b""
    return s[start:start + length]


def index(s, sub, start=0):
    start = max(start, 0)
    if start >= len(s):
        return len(s) if not sub else -1
    return s.find(sub, start)


def rindex(s, sub, start=None):
    if start is None or start > len(s):
        start = len(s)
    if start < 0:
        return 0 if not sub else -1
    return s.rfind(sub, 0, start + len(sub))


def tail(s, at):
    return None if at < 0 else s[at:]


def lltostr(value, base=10):
    if not 2 <= base <= 36:
        raise Fault("ILLOP")
    sign = b"-" if base == 10 and value < 0 else b""
    value = abs(value) if base == 10 else cut(value, ULONG)
    digits = b""
    while value or not digits:
        digits = b"0123456789abcdefghijklmnopqrstuvwxyz"[value % base:][:1] + digits
        value //= base
    if base == 8 and digits == b"0":
        return digits
    return sign + {16: b"0x", 8: b"0"}.get(base, b"") + digits


def strtoll(s, base=10):
    if not 2 <= base <= 36:
        raise Fault("ILLOP")
    s = s.lstrip(b" \t")
    sign = -1 if s[:1] == b"-" else 1
    if s[:1] in (b"-", b"+") and s:
        s = s[1:]
    if base == 16 and s[:2].lower() == b"0x":
        s = s[2:]
    value = 0
    for c in s:
        digit = int(chr(c), 36) if chr(c).isalnum() and c < 128 else 99
        if digit >= base:
            break
        value = value * base + digit
    return cut(sign * value, LONG)


def basename(s):
    if not s:
        return b"."
    s = s.rstrip(b"/")
    return s.rsplit(b"/", 1)[-1] if s else b"/"


def dirname(s):
    if not s:
        return b"."
    s = s.rstrip(b"/")
    if not s:
        return b"/"
    if b"/" not in s:
        return b"."
    return s.rsplit(b"/", 1)[0].rstrip(b"/") or b"/"


def swap(size):
    return lambda value: int.from_bytes(value.to_bytes(size, "little"), "big")


# name: (result, arguments, how it is computed); S string, kinds for integers, a tuple in a list is optional
FUNCTIONS = {
    "strlen": (SIZE_T, ["S"], len),
    "substr": ("str", ["S", INT, [INT]], substr),
    "index": (INT, ["S", "S", [INT]], index),
    "rindex": (INT, ["S", "S", [INT]], rindex),
    "strchr": ("str", ["S", CHAR], lambda s, c: tail(s, s.find(bytes([c & 255])) if c else len(s))),
    "strrchr": ("str", ["S", CHAR], lambda s, c: tail(s, s.rfind(bytes([c & 255])) if c else len(s))),
    "strstr": ("str", ["S", "S"], lambda s, sub: tail(s, s.find(sub))),
    "strjoin": ("str", ["S", "S"], lambda x, y: x + y),
    "lltostr": ("str", [LONG, ["base"]], lltostr),
    "strtoll": (LONG, ["S", ["base"]], strtoll),
    "basename": ("str", ["S"], basename),
    "dirname": ("str", ["S"], dirname),
    "toupper": ("str", ["S"], lambda s: s.upper()),
    "tolower": ("str", ["S"], lambda s: s.lower()),
    "cleanpath": ("str", ["S"], None),
    "strtok": ("str", ["S", "S"], None),
    "htons": ((2, False), [(2, False)], swap(2)), "ntohs": ((2, False), [(2, False)], swap(2)),
    "htonl": (UINT, [UINT], swap(4)), "ntohl": (UINT, [UINT], swap(4)),
    "htonll": (ULONG, [ULONG], swap(8)), "ntohll": (ULONG, [ULONG], swap(8)),
}


def call(name, arguments):
    result, prototype, rule = FUNCTIONS[name]
    kinds = [k[0] if isinstance(k, list) else k for k in prototype]
    kinds = [INT if k == "base" else k for k in kinds]

    def run(env, *arguments):
        if rule is None:
            raise Unknown()
        values = [given(a.value(env)) if k == "S" else cut(a.value(env), k) for a, k in zip(arguments, kinds)]
        value = rule(*values)
        return value[:env.strsize] if isinstance(value, bytes) else value if value is None else word(value)
    text = name + "(" + ", ".join(f"{{{i}}}" for i in range(len(arguments))) + ")"
    return Node("str" if result == "str" else "int", text, arguments, run, None if result == "str" else result)


def user_string(x):
    def run(env, x):
        address = MEMORY + (cut(x.value(env), ULONG) & 0x3fff)
        at = address - MEMORY
        end = BYTES.find(b"\0", at) if at < MEMORY_SIZE else -1
        if at >= MEMORY_SIZE or end < 0 and MEMORY_SIZE - at < env.strsize:
            raise Fault("BADADDR", address)
        return BYTES[at:end if end >= 0 else MEMORY_SIZE][:env.strsize]
    return Node("str", f"copyinstr({MEMORY:#x} + ({{0}} & 0x3fffULL))", (x,), run)


# -------------------------------------------------------------- statements

def show(x, env):
    value = x.value(env)
    if x.sort == "int":
        return f"i {cut(value, x.kind)}"
    if x.sort != "str":
        return f"i {value}"
    return "s " + "".join(chr(c) if 32 <= c < 127 and c != 92 else f"\\{c:03o}" for c in given(value))


def action(text, kids, run):
    node = Node("stmt", text, kids, run)
    node.is_action = True
    return node


def trace(x):
    return action("trace({0});", (x,), lambda env, x: env.out(show(x, env)))


def printf(arguments):
    conversions = " ".join("%s" if a.sort == "str" else "%d" for a in arguments)
    text = f'printf("{conversions}\\n"' + "".join(f", {{{i}}}" for i in range(len(arguments))) + ");"

    def run(env, *arguments):
        for line in [show(a, env) for a in arguments]:
            env.out(line)
    return action(text, arguments, run)


def raw(text):
    """Bytes that the driver alone compares."""
    return action(text, (), lambda env: env.out("x *"))


def statement(x):
    return Node("stmt", "{0};", (x,), lambda env, x: x.value(env))


def store_byte(place, at, byte):
    """One character of a string; behind a NUL there is nothing."""
    def run(env, place):
        value = given(place.value(env)).ljust(at + 1, b"\0")
        value = value[:at] + bytes([byte]) + value[at + 1:]
        place.store(env, place.locate(env), value.split(b"\0")[0][:env.strsize])
    return Node("stmt", f"{{0}}[{at}] = {byte};", (place,), run)


def copy_struct(to, source, members):
    def run(env):
        for member in members:
            env.memory[(to, member)] = env.memory.get((source, member), 0)
    return Node("stmt", f"{to} = {source};", (), run)


def update(name, keys, function, value):
    kids = [*keys, *([value] if value else [])]

    def run(env, *kids):
        for kid in kids:
            v = kid.value(env)
            if kid.sort == "str":
                given(v)
    inside = ", ".join(f"{{{i}}}" for i in range(len(keys)))
    left = f"@{name}[{inside}]" if keys else f"@{name}"
    node = Node("stmt", f"{left} = {function.format('{%d}' % len(keys)) if value else function};", kids, run)
    node.aggregates = True
    return node


class Clause:
    def __init__(self, predicate, statements):
        self.predicate, self.statements = predicate, statements

    def walk(self):
        for node in [*self.statements, *([self.predicate] if self.predicate else [])]:
            yield from node.walk()

    def text(self):
        predicate = f" /{self.predicate.text()}/" if self.predicate else ""
        return f"BEGIN{predicate}\n{{\n" + "".join(f"\t{s.text()}\n" for s in self.statements) + "}\n"

    def run(self, env):
        if self.predicate and not self.predicate.value(env):
            return
        for s in self.statements:
            s.value(env)


class Env:
    def __init__(self, strsize, turns):
        self.strsize, self.memory, self.lines = strsize, {}, []
        self.record, self.pending = None, []    # the open record, and what it holds
        self.turns, self.loops = turns, []      # turns that are left; loops around: do they record?
        self.is_vague = False                   # may the record have ended before?
        self.slack = 0                          # turns that may have been taken besides

    def open(self):
        self.record = object()

    def out(self, line):
        if not self.record:
            self.open()
        self.pending.append(line)

    def close(self):
        self.lines += self.pending
        self.drop()

    def drop(self):
        self.record, self.pending, self.is_vague = None, [], False

    def take_turn(self):
        if self.slack and self.turns <= self.slack:
            raise Unknown()
        if not self.turns:
            raise Fault("LOOPLIMIT")
        self.turns -= 1


class Program:
    def __init__(self, strsize, declarations, functions, clauses, has_error, turns):
        self.strsize, self.declarations, self.functions, self.clauses = strsize, declarations, functions, clauses
        self.has_error, self.turns = has_error, turns

    def text(self):
        return (f"#pragma D option strsize={self.strsize}\n" + "".join(d + "\n" for d in self.declarations) +
                "".join(f.text() for f in self.functions) + "".join(clause.text() for clause in self.clauses) +
                ("ERROR\n{\n\ttrace(arg4);\n\ttrace(arg5);\n}\n" if self.has_error else ""))

    def expect(self):
        """What is traced, a line each; None where only the machine knows."""
        env = Env(self.strsize, self.turns)
        infer(self.clauses)
        for clause in self.clauses:
            env.open()
            try:
                clause.run(env)
                env.close()
            except Fault as fault:
                if env.is_vague and env.pending:
                    return None
                env.drop()
                env.lines.append(f"f {fault.code} {'*' if fault.value is None else fault.value}")
                if self.has_error:
                    env.lines += ["i *", "i *"]
            except Unknown:
                return None
        return env.lines
