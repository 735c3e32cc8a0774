# SPDX-License-Identifier: Apache-2.0
"""The dice: which program a seed stands for (program.py says what it means)."""
import random

from control import *
from program import *

EDGES = [0, 1, 2, 3, 5, 7, 8, 10, 31, 32, 63, 64, 100, 127, 128, 200, 255, 256, 300, 32767, 32768, 65535, 65536, 99999,
         2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 40 + 7, 2 ** 63 - 1, 2 ** 63, 2 ** 64 - 1]
POINTED = {"int": (4, INT), "char": (1, CHAR), "short": (2, (2, True)), "unsigned long": (8, ULONG)}
WORDS = [b"", b"a", b"abc", b"abd", b"hello", b"hello, world", b"/usr/lib/x.so", b"//", b"a/b/", b"12", b"-77z", b"0x1F",
         b"abcdefg", b"abcdefgh", b"abcdefghi", b"\377\001", b"Mixed Case", b"the quick brown fox jumps over the lazy dog",
         b"aXbXc", b"  42", b"BEGIN", b"/", b"..", b"./a/../b"]
AGGREGATING = ["count()", "sum({})", "min({})", "max({})", "avg({})", "quantize({})", "lquantize({}, -50, 500, 25)",
               "stddev({})"]


class Dice:
    def __init__(self, seed, functions):
        self.random = random.Random(seed)
        self.functions = [name for name in FUNCTIONS if name in functions]
        self.has_copyinstr = "copyinstr" in functions
        self.declarations, self.ints, self.strings, self.pointers, self.arrays = [], [], [], [], []
        self.structs, self.aggregations, self.chars, self.associative = [], [], [], []
        self.firsts = []
        self.defined = []               # functions in D
        self.counters = []              # of loops: must not be assigned to
        self.nlocals = 0
        self.is_in_loop = False
        self.result = None              # of the function that is made: an empty tuple for void

    def chance(self, n):
        return self.random.randrange(n) == 0

    def pick(self, items):
        return self.random.choice(items)

    # ------------------------------------------------------ declarations

    def declare(self):
        for i in range(self.random.randint(3, 7)):
            kind = self.pick(TYPES)
            self.variable("int", f"{self.pick(TYPE_NAMES[kind])} ", f"v{i}", kind, self.ints)
        for i in range(self.random.randint(0, 4)):
            self.undeclared(f"u{i}")
        for i in range(self.random.randint(1, 4)):
            self.variable("str", "string ", f"s{i}", None, self.strings)
        for i in range(self.random.randint(0, 3)):
            target = self.pick(list(POINTED))
            self.variable("*" + target, f"{target} *", f"p{i}", None, self.pointers)
        for i in range(self.random.randint(0, 2)):
            self.array(f"a{i}", self.pick(TYPES), self.random.randint(1, 9))
        if self.chance(3):
            self.char_array("c0", self.random.randint(2, 20))
        if self.chance(2):
            self.structure()
        for i in range(self.random.randint(0, 2)):
            self.associative_array(f"x{i}")
        for i in range(self.random.randint(0, 2)):
            keys = [self.pick(["int", "str"]) for _ in range(self.random.randint(0, 3))]
            self.aggregations.append((f"g{i}", keys, self.pick(AGGREGATING)))

    def variable(self, sort, type_text, name, kind, into):
        scope = self.pick(["", "self", "this"])
        self.declarations.append(f"{scope + ' ' if scope else ''}{type_text}{name};")
        text = f"{scope}->{name}" if scope else name
        into.append(Place(sort, text, kind, text, is_wide=sort == "int"))

    def undeclared(self, name):
        """A variable that gets its type from assignments; the first is in the first clause."""
        scope = self.pick(["", "self", "this"])
        place = Inferred(f"{scope}->{name}" if scope else name)
        first = self.number() if self.chance(2) else literal(*self.pick([(0, "0", INT), (1, "1", INT)]))
        if self.chance(3):
            kind = self.pick(TYPES)
            first = cast(kind, self.pick(TYPE_NAMES[kind]), first)
        if self.chance(4):
            first = unary(self.pick("-~"), first)
        self.ints.append(place)
        self.firsts.append(statement(assignment(place, first)))

    def array(self, name, kind, size):
        self.declarations.append(f"{self.pick(TYPE_NAMES[kind])} {name}[{size}];")
        self.arrays.append((name, kind, size))

    def char_array(self, name, size):
        self.declarations.append(f"char {name}[{size}];")
        self.arrays.append((name, CHAR, size))

        def run(env):
            text = b""
            for i in range(size):
                c = env.memory.get((name, i), 0) & 255
                if not c:
                    break
                text += bytes([c])
            return text[:env.strsize]
        self.chars.append(lambda: Node("str", f"stringof({name})", (), run))

    def associative_array(self, name):
        scope, kind = self.pick(["", "self "]), self.pick(TYPES)
        kinds = [self.pick(["str", *TYPES]) for _ in range(self.random.randint(1, 3))]
        keys = ", ".join("string" if k == "str" else TYPE_NAMES[k][0] for k in kinds)
        self.declarations.append(f"{scope}{TYPE_NAMES[kind][0]} {name}[{keys}];")
        places = ", ".join(f"{{{i}}}" for i in range(len(kinds)))
        self.associative.append((f"{scope.strip()}->{name}" if scope else name, f"[{places}]", kind, kinds))

    def structure(self):
        members, texts = {}, []
        for i in range(self.random.randint(1, 6)):
            kind = self.pick(TYPES)
            width = 0
            if self.chance(2):
                kind = self.pick([INT, UINT])
                width = self.random.randint(1, 31)
            members[f"m{i}"] = (kind, width)
            texts.append(f"{TYPE_NAMES[kind][0]} m{i}{f':{width}' if width else ''};")
        self.declarations.append(f"struct rec {{ {' '.join(texts)} }};")
        scope = self.pick(["", "self", "this"])
        prefix = f"{scope}->" if scope else ""
        for name in ("r0", "r1"):
            self.declarations.append(f"{scope + ' ' if scope else ''}struct rec {name};")
            self.structs.append((prefix + name, members))

    # ------------------------------------------------------- expressions

    def number(self):
        value = self.pick(EDGES) if not self.chance(3) else self.random.getrandbits(self.random.randint(1, 64))
        is_hex = self.chance(3)
        suffix = self.pick(["", "", "", "u", "l", "ul", "ll", "ull"])
        kinds = [INT, UINT, LONG, ULONG]
        if "u" in suffix:
            kinds = [UINT, ULONG]
        elif not is_hex:
            kinds = [INT, LONG, ULONG]
        if "l" in suffix:
            kinds = [k for k in kinds if k[0] == 8]
        for kind in kinds:
            if cut(value, kind) == value:
                return literal(value, (hex(value) if is_hex else str(value)) + suffix, kind)
        return literal(value, f"{value:#x}ull", ULONG)

    def place(self, depth):
        roll = self.random.randrange(10)
        if roll < 2 and self.arrays:
            name, kind, size = self.pick(self.arrays)
            if self.chance(2):
                i = self.random.randrange(size)
                return Place("int", f"{name}[{i}]", kind, (name, i))

            def find(env, x):
                at = x.value(env)
                if not 0 <= at < size:
                    raise Fault("BADINDEX")
                return (name, at)
            x = binary(self.pick("%&"), self.pick(self.ints), literal(size, str(size), INT))
            return Place("int", f"{name}[{{0}}]", kind, None, [x], find)
        if roll == 4 and self.associative:
            name, places, kind, kinds = self.pick(self.associative)
            keys = [self.string(0) if k == "str" else self.pick(self.ints) if self.chance(2) else self.number()
                    for k in kinds]
            return element(name + places, kind, name, kinds, keys)
        if roll < 4 and self.structs:
            name, members = self.pick(self.structs)
            member = self.pick(list(members))
            kind, width = members[member]
            return Place("int", f"{name}.{member}", kind, (name, member), width=width)
        return self.pick(self.ints)

    def integer(self, depth):
        if self.counters and self.chance(4):
            return self.pick(self.counters)
        if depth <= 0:
            return self.place(0) if not self.chance(3) else self.number()
        d = depth - 1
        made = self.call_of(d, lambda result: result != "str")
        if made:
            return made
        roll = self.random.randrange(30)
        if roll < 8:
            op = self.pick(["+", "-", "*", "&", "|", "^", "<<", ">>"])
            return binary(op, self.integer(d), self.integer(d))
        if roll < 10:
            below = self.place(d) if not self.chance(3) else literal(*self.pick([(3, "3", INT), (7, "7ull", ULONG),
                                                                               (-2, "-2", INT), (100, "100", INT)]))
            return binary(self.pick("/%"), self.integer(d), below)
        if roll < 12:
            return comparison(self.pick(list(COMPARISON)), self.integer(d), self.integer(d))
        if roll < 14:
            return unary(self.pick("-~!+"), self.integer(d))
        if roll < 16:
            return logical(self.pick(["&&", "||", "^^"]), self.integer(d), self.integer(d))
        if roll < 18:
            return ternary(self.integer(d), self.integer(d), self.integer(d))
        if roll < 20:
            kind = self.pick(TYPES)
            return cast(kind, self.pick(TYPE_NAMES[kind]), self.integer(d))
        if roll == 20:
            return assignment(self.place(d), self.integer(d))
        if roll == 21:
            return increment(self.pick(["++", "--"]), self.chance(2), self.place(d))
        if roll == 22:
            return compound(self.pick(["+", "-", "*", "&", "|", "^", "<<", ">>"]), self.place(d), self.integer(d))
        if roll == 23:
            return comma(self.integer(d), self.integer(d))
        if roll < 26:
            return comparison(self.pick(list(COMPARISON)), self.string(d), self.string(d))
        if roll < 28:
            return self.function(d, lambda result: result != "str")
        return self.from_pointer(d)

    def from_pointer(self, d):
        if self.chance(4):
            target = self.pick(list(POINTED))
            return dereference(target, POINTED[target][1], self.integer(d))
        target = self.pick(list(POINTED))
        if self.chance(2):
            return comparison(self.pick(list(COMPARISON)), self.pointer(target, d), self.pointer(target, d))
        if self.chance(2):
            return pointer_difference(self.pointer(target, d), self.pointer(target, d), POINTED[target][0])
        kind = self.pick(TYPES)
        return cast(kind, TYPE_NAMES[kind][0], self.pointer(target, d))

    def pointer(self, target, depth):
        scale = POINTED[target][0]
        own = [p for p in self.pointers if p.sort == "*" + target]
        if own and (depth <= 0 or self.chance(3)):
            return self.pick(own) if not self.chance(4) else increment(self.pick(["++", "--"]), self.chance(2),
                                                                       self.pick(own), scale)
        if depth <= 0 or self.chance(2):
            return pointer_of(target, self.integer(depth - 1))
        return pointer_step(self.pick("+-"), self.pointer(target, depth - 1), scale, self.integer(depth - 1))

    def string(self, depth):
        if depth <= 0 or self.chance(3):
            roll = self.random.randrange(8)
            if roll < 3:
                return string_literal(self.pick(WORDS))
            if roll == 3 and self.chars:
                return self.pick(self.chars)()
            return self.pick(self.strings)
        d = depth - 1
        made = self.call_of(d, lambda result: result == "str")
        if made:
            return made
        roll = self.random.randrange(9)
        if roll < 2:
            return ternary(self.integer(d), self.string(d), self.string(d))
        if roll == 2:
            return assignment(self.pick(self.strings), self.string(d))
        if roll == 3 and self.has_copyinstr:
            return user_string(self.integer(d))
        return self.function(d, lambda result: result == "str") or self.string(d)

    def function(self, d, wanted):
        names = [name for name in self.functions if wanted(FUNCTIONS[name][0])]
        if not names:
            return None
        name = self.pick(names)
        arguments = []
        for kind in FUNCTIONS[name][1]:
            if isinstance(kind, list):
                if self.chance(2):
                    break
                kind = kind[0]
            if kind == "S":
                arguments.append(self.string(d))
            elif kind == "base":
                arguments.append(literal(*self.pick([(n, str(n), INT) for n in (2, 8, 10, 16, 36)])))
            elif name in ("strchr", "strrchr"):
                arguments.append(literal(*self.pick([(ord(c), f"'{c}'", INT) for c in "abXo/. "])))
            elif name in ("substr", "index", "rindex"):
                x = binary("%", self.place(0), literal(13, "13", INT))
                arguments.append(x if not self.chance(3) else literal(*self.pick([(n, str(n), INT) for n in range(12)])))
            else:
                arguments.append(self.integer(d))
        return call(name, arguments)

    # -------------------------------------------------------- statements

    def statement(self, depth):
        if depth and self.chance(5):
            return self.loop(depth)
        if self.defined and self.chance(5):
            return statement(self.call(self.pick(self.defined), 1))
        if depth and self.chance(16):
            return Block(self.block(depth - 1, 1, 4))
        roll = self.random.randrange(16)
        if roll < 4:
            return trace(self.integer(3) if not self.chance(3) else self.string(2))
        if roll == 4:
            return printf([self.integer(2) if not self.chance(3) else self.string(1)
                           for _ in range(self.random.randint(1, 4))])
        if roll < 8:
            return statement(assignment(self.place(1), self.integer(3)))
        if roll == 8:
            op = self.pick(["+", "-", "*", "&", "|", "^", "<<", ">>", "/", "%"])
            value = self.integer(2) if op not in "/%" else self.place(0)
            return statement(compound(op, self.place(1), value))
        if roll < 11:
            if self.chance(6):
                return store_byte(self.pick(self.strings), self.random.randrange(7), self.pick([0, 97, 200]))
            if self.chance(6):
                return statement(Node("str", "({0} = NULL)", [self.pick(self.strings)],
                                      lambda env, place: place.store(env, place.locate(env), None)))
            return statement(assignment(self.pick(self.strings), self.string(2)))
        if roll == 11 and self.pointers:
            p = self.pick(self.pointers)
            return statement(assignment(p, self.pointer(p.sort[1:], 2)))
        if roll == 12 and self.structs:
            (to, members), (source, _) = self.structs[:2] if self.chance(2) else self.structs[1::-1]
            return copy_struct(to, source, members) if not self.chance(2) else raw(f"trace({to});")
        if roll == 13 and self.aggregations:
            name, keys, function = self.pick(self.aggregations)
            keys = [self.string(1) if k == "str" else cast(LONG, "int64_t", self.integer(2)) for k in keys]
            return update(name, keys, function, None if function == "count()" else self.integer(2))
        if roll > 13 and depth:
            test = self.integer(2)
            return If(test, self.block(depth - 1, 1, 3), self.block(depth - 1, 0, 2))
        return statement(increment(self.pick(["++", "--"]), self.chance(2), self.place(1)))

    # ------------------------------------------------- blocks and loops

    def pools(self):
        return [self.ints, self.strings, self.pointers, self.counters]

    def hide(self, name):
        """What a local name shadows is not known any more."""
        for pool in self.pools():
            pool[:] = [p for p in pool if p.text() != name]
        self.arrays = [a for a in self.arrays if a[0] != name]
        self.chars = [c for c in self.chars if f"({name})" not in c().text()]

    def local_place(self, sort, kind, name):
        self.nlocals += 1
        return Place(sort, name, kind, ("local", self.nlocals), is_wide=sort == "int")

    def local(self, taken, sort=None):
        """A declaration, of a name that its block has not yet: often one that shadows."""
        names = [n for n in ["k0", "k1", "k2", "v0", "v1", "s0", "a0", "c0"] if n not in taken]
        name = self.pick(names) if names else f"k{self.nlocals + 10}"
        taken.add(name)
        sort = sort or self.pick(["int", "int", "str"])
        if sort == "str" and self.strings_left(name):
            self.hide(name)
            place = self.local_place("str", None, name)
            value = self.string(2) if self.chance(2) else None
            self.strings.append(place)
            return Declare("string ", place, value)
        kind = self.pick(TYPES)
        place = self.local_place("int", kind, name)
        if not self.strings_left(name) or not [p for p in self.ints if p.text() != name]:
            place.format = name = f"k{self.nlocals + 9}"
        self.hide(name)
        value = self.integer(2) if not self.chance(3) else None
        self.ints.append(place)
        return Declare(self.pick(TYPE_NAMES[kind]) + " ", place, value)

    def strings_left(self, name):
        return [p for p in self.strings if p.text() != name]

    def block(self, depth, least, most, last=None):
        """Statements with a scope of their own; `last` makes the last one."""
        saved = [list(pool) for pool in self.pools()], self.arrays, self.chars
        taken, statements = set(), []
        for _ in range(self.random.randint(least, most)):
            statements.append(self.local(taken) if self.chance(5) else self.statement(depth))
            if self.is_in_loop and self.chance(8):
                statements.append(self.leave(jump_out(self.pick(["break", "continue"]))))
            if self.result is not None and self.chance(8):
                statements.append(self.leave(self.give_back()))
        if last:
            statements.append(last())
        for pool, old in zip(self.pools(), saved[0]):
            pool[:] = old
        self.arrays, self.chars = saved[1:]
        return statements

    def leave(self, jump):
        before = [self.statement(0)] if self.chance(2) else []
        return If(self.integer(1), [*before, jump], [])

    def loop(self, depth):
        """With a counter, so that it ends; now and then one that only a break ends, or the limit."""
        most = self.pick([0, 1, 2, 3, 5, 8, 13])
        outer, self.is_in_loop = self.is_in_loop, True
        word = self.pick(["for", "for", "while", "do"])
        saved = [list(pool) for pool in self.pools()], self.arrays, self.chars
        is_local = self.chance(2)
        name = self.pick(["i", "j", "k0"]) if is_local else f"this->n{self.nlocals}"
        if is_local and not self.strings_left(name):
            name = "i"
        kind = self.pick([INT, UINT, LONG, ULONG, (1, True), (2, False)])
        self.hide(name)
        counter = self.local_place("int", kind, name)
        zero = literal(0, "0", INT)
        type_text = self.pick(TYPE_NAMES[kind]) + " "
        if is_local:
            start = Declare(type_text, counter, zero)
        else:
            self.declarations.append(f"this {type_text}{name[6:]};")
            start = statement(assignment(counter, zero))
        self.counters.append(counter)
        bound = literal(most, str(most), INT)
        if word == "for":
            test = comparison("<", counter, bound)
            if self.chance(4):
                test = logical("&&", test, self.integer(1))
            elif self.chance(25):
                test = None
            step = increment("++", self.chance(2), counter)
            if self.chance(6):
                step = comma(step, assignment(self.place(1), self.integer(1)))
            made = Loop("for", start, test, step, self.block(depth - 1, 1, 4))
        else:
            test = comparison("<", increment("++", self.chance(2), counter), bound)
            if self.chance(3):
                test = logical("&&", test, self.integer(1))
            made = Block([start, Loop(word, None, test, None, self.block(depth - 1, 1, 4))])
        for pool, old in zip(self.pools(), saved[0]):
            pool[:] = old
        self.arrays, self.chars = saved[1:]
        self.is_in_loop = outer
        return made

    # ------------------------------------------------------- D functions

    def give_back(self):
        if not self.result:
            return Jump("return;", lambda: Return(None))
        value = self.string(2) if self.result == ("str",) else self.integer(2)
        return Jump("return {0};", Return, [value])

    def parameter(self, n):
        sort = self.pick(["int", "int", "str", "*"])
        if sort == "int":
            kind = self.pick(TYPES)
            place, text = self.local_place("int", kind, f"n{n}"), self.pick(TYPE_NAMES[kind]) + " "
            self.ints.append(place)
        elif sort == "str":
            place, text = self.local_place("str", None, f"t{n}"), "string "
            self.strings.append(place)
        else:
            target = self.pick(list(POINTED))
            place, text = self.local_place("*" + target, None, f"q{n}"), target + " *"
            self.pointers.append(place)
        return place, text

    def define(self, name):
        """What it assigns to is declared: types do not depend on where it is called first."""
        saved = [list(pool) for pool in self.pools()]
        self.ints[:] = [p for p in self.ints if not isinstance(p, Inferred)]
        kind = self.pick([None, "str", *TYPES])
        params = [self.parameter(i) for i in range(self.random.randint(0, 3))]
        self.result = (kind,) if kind else ()
        body = self.block(2, *((6, 14) if self.chance(5) else (1, 4)), self.give_back if kind else None)
        self.result = None
        for pool, old in zip(self.pools(), saved):
            pool[:] = old
        used = [Node("stmt", f"(void){p.text()};", (), lambda env: None) for p, _ in params]
        text = "void " if not kind else "string " if kind == "str" else self.pick(TYPE_NAMES[kind]) + " "
        self.defined.append(Function(name, kind, text, [p for p, _ in params], [t for _, t in params], [*used, *body]))

    def call(self, function, d):
        arguments = [self.integer(d) if p.sort == "int" else self.string(d) if p.sort == "str" else
                     self.pointer(p.sort[1:], d) for p in function.params]
        return FunctionCall(function, arguments)

    def call_of(self, d, wanted):
        """One without actions, which may stand in an expression, or None."""
        found = [f for f in self.defined if f.result and not f.acts and wanted(f.result)]
        return self.call(self.pick(found), d) if found and self.chance(3) else None

    def program(self):
        strsize = self.pick([8, 15, 16, 40, 256])
        self.declare()
        if self.chance(2):
            for i in range(self.random.randint(1, 3)):
                self.define(f"f{i}")
        clauses = [Clause(None, self.firsts)] if self.firsts else []
        for _ in range(self.random.randint(1, 4)):
            predicate = self.integer(2) if self.chance(3) else None
            clauses.append(Clause(predicate, self.block(2, 1, 6)))
        # Last, what is left in the variables.
        clauses.append(Clause(None, [trace(place) for place in self.ints]))
        clauses += [Clause(None, [trace(place)]) for place in self.strings]
        return Program(strsize, self.declarations, self.defined, clauses, self.chance(3), LOOPLIMIT)


def program_of(seed, functions):
    return Dice(seed, functions).program()
