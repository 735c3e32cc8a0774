# SPDX-License-Identifier: Apache-2.0
"""Statements that contain statements: if, loops, blocks, and functions in D.

A clause that faults loses the record that is open at that moment, and no other.
A clause begins with an open record.  A loop that records ends it, each of its
turns begins without one and ends its own, and where paths meet that do not have
the same one open, it ends (src/ir/lower_claim.c).  `Env.record` is that record,
`Env.pending` what is in it.

A statement with a loop in it, in a loop that records, ends the record before it
starts; the functions that it calls count.  A function that records and one that
loops may be in one expression: there, the second ends the first one's record if it
is expanded, and does not if it is compiled once.  Only the compiler knows, so what
depends on it is not foreseen: what a fault leaves (`Env.is_vague`), and which turn
is the one too many (`Env.slack`).
"""
from program import *

LOOPLIMIT = 100     # turns of all loops in one firing; the driver's


class Break(Exception):
    pass


class Continue(Exception):
    pass


class Return(Exception):
    def __init__(self, value):
        self.value = value


def lines_of(statements):
    return " ".join(s.text() for s in statements)


class Compound(Node):
    """`bodies` are lists of statements; `kids` what is computed to choose among them."""
    def __init__(self, kids, *bodies):
        super().__init__("stmt", "", kids)
        self.bodies = [list(body) for body in bodies]

    def checked_kids(self):
        return [*self.kids, *(s for body in self.bodies for s in body)]


def parts(statements):
    for s in statements:
        yield from s.walk()


def records(statements):
    """Do they, or functions that they call, contain an action?"""
    return any(node.is_action or isinstance(node, FunctionCall) and records(node.function.body)
               for node in parts(statements))


def through(statements):
    """The parts on paths that come to the end of these statements: none that jump away."""
    for s in statements:
        if not isinstance(s, (If, Block)):
            yield from s.walk()
            continue
        for kid in s.kids:
            yield from kid.walk()
        for body in s.bodies:
            if not ends_in_jump(body):
                yield from through(body)


def ends_record(nodes, env):
    """Is there a loop that starts and ends its turns without a record?"""
    return any(isinstance(node, Loop) and node.ends_record(env) or
               isinstance(node, FunctionCall) and not node.function.may_be_routine() and
               ends_record(parts(node.function.body), env) for node in nodes)


def may_end_record(nodes, env):
    return any(env.loops) and any(isinstance(node, FunctionCall) and node.function.loops for node in nodes)


def meet(env, before, other):
    """The path that began with the record `before` meets one of these statements."""
    if env.record is not before or ends_record(through(other), env):
        env.close()
    elif may_end_record(through(other), env):
        env.is_vague = True


def has_loop(statement):
    return any(isinstance(node, Loop) or isinstance(node, FunctionCall) and node.function.loops
               for node in statement.walk())


def run(statements, env):
    for s in statements:
        if env.loops and env.loops[-1] and has_loop(s):
            env.close()
        s.value(env)


def ends_in_jump(statements):
    return any(isinstance(s, Jump) or isinstance(s, Block) and ends_in_jump(s.bodies[0]) for s in statements)


class Block(Compound):
    def __init__(self, statements):
        super().__init__((), statements)

    def text(self):
        return "{ " + lines_of(self.bodies[0]) + " }"

    def value(self, env):
        run(self.bodies[0], env)


class If(Compound):
    def __init__(self, test, yes, no):
        super().__init__([test], yes, no)

    def text(self):
        yes, no = map(lines_of, self.bodies)
        return f"if ({self.kids[0].text()}) {{ {yes} }}" + (f" else {{ {no} }}" if no else "")

    def value(self, env):
        taken, other = self.bodies if self.kids[0].value(env) else self.bodies[::-1]
        before = env.record
        run(taken, env)
        if not ends_in_jump(other):
            meet(env, before, other)


class Jump(Node):
    def __init__(self, text, exception, kids=()):
        super().__init__("stmt", text, kids)
        self.exception = exception

    def is_return(self):
        return self.format.startswith("return")

    def value(self, env):
        raise self.exception(*(kid.value(env) for kid in self.kids))


def jump_out(word):
    return Jump(word + ";", {"break": Break, "continue": Continue}[word])


class Declare(Node):
    """A local name: 0 or "" each time that it is executed, then its value."""
    def __init__(self, type_text, place, value):
        super().__init__("stmt", "", [value] if value else [])
        self.type_text, self.place = type_text, place

    def text(self):
        value = f" = {self.kids[0].text()}" if self.kids else ""
        return f"{self.type_text}{self.place.text()}{value};"

    def value(self, env):
        env.memory[self.place.key] = b"" if self.place.sort == "str" else 0
        for kid in self.kids:
            self.place.store(env, self.place.key, kid.value(env))


class Loop(Compound):
    """for, while, do: `first` is a statement or None, `test` and `step` are expressions or None."""
    def __init__(self, word, first, test, step, body):
        super().__init__([test] if test else [], body)
        self.word, self.first, self.step = word, first, step

    def text(self):
        test = self.kids[0].text() if self.kids else ""
        body = lines_of(self.bodies[0])
        if self.word == "do":
            return f"do {{ {body} }} while ({test});"
        if self.word == "while":
            return f"while ({test}) {{ {body} }}"
        first = self.first.text() if self.first else ";"
        return f"for ({first} {test}; {self.step.text() if self.step else ''}) {{ {body} }}"

    def checked_kids(self):
        first = [self.first] if self.first else []
        step = [self.step] if self.step else []
        if self.word == "do":
            return [*first, *self.bodies[0], *step, *self.kids]
        return [*first, *self.kids, *self.bodies[0], *step]

    def goes_on(self, env):
        return not self.kids or self.kids[0].value(env)

    def turn(self, env):
        """False: it was the last."""
        if self.word != "do" and not self.goes_on(env):
            return False
        try:
            run(self.bodies[0], env)
        except Break:
            return False
        except Continue:
            pass
        self.close(env)
        if self.step:
            self.step.value(env)
        return self.word != "do" or self.goes_on(env)

    def ends_record(self, env):
        return records([self]) or any(env.loops)

    def close(self, env):
        if env.loops[-1]:
            env.close()

    def value(self, env):
        if self.first:
            self.first.value(env)
        env.loops.append(self.ends_record(env))
        self.close(env)
        try:
            if len(env.loops) == 1:     # loops inside take their turns from it
                env.take_turn()
            elif env.loops[-2] is None:
                env.slack += 1
            while self.turn(env):
                env.take_turn()
        except Return:
            self.close(env)
            raise
        else:
            self.close(env)
        finally:
            env.loops.pop()


# --------------------------------------------------------------- functions

class Function:
    """`result`: a kind, str, or None for void; `params` are places."""
    def __init__(self, name, result, result_text, params, param_texts, body):
        self.name, self.result, self.result_text = name, result, result_text
        self.params, self.param_texts, self.body = params, param_texts, body

    @property
    def acts(self):
        return any(node.is_action or node.aggregates or isinstance(node, FunctionCall) and node.function.acts
                   for node in parts(self.body))

    @property
    def loops(self):
        return any(map(has_loop, self.body))

    def text(self):
        params = ", ".join(t + p.text() for t, p in zip(self.param_texts, self.params)) or "void"
        return (f"{self.result_text}{self.name}({params})\n{{\n" + "".join(f"\t{s.text()}\n" for s in self.body) + "}\n")

    def may_be_routine(self):
        return self.loops and not records(self.body)

    def has_paths(self):
        """Do several ways lead to its end?"""
        returns = sum(isinstance(node, Jump) and node.is_return() for node in parts(self.body))
        return returns + (not ends_in_jump(self.body)) > 1

    def convert(self, env, kind, value):
        if kind == "str":
            return value if value is None else value[:env.strsize]
        return value if kind is None else word(cut(value, kind))

    def call(self, env, values):
        for place, value in zip(self.params, values):
            env.memory[place.key] = self.convert(env, "str" if place.sort == "str" else place.kind, value)
        before = env.record
        result = None
        loops = env.loops
        if loops and self.may_be_routine():
            env.is_vague = env.is_vague or any(loops)
            env.loops = [None]
        try:
            run(self.body, env)
        except Return as leave:
            result = self.convert(env, self.result, leave.value)
        finally:
            env.loops = loops
        if self.has_paths() and (env.record is not before or ends_record(parts(self.body), env) or
                                 may_end_record(parts(self.body), env)):
            env.is_vague = True         # do all of them have the same one open?
        return result


class FunctionCall(Node):
    def __init__(self, function, arguments):
        sort = "str" if function.result == "str" else "int" if function.result else "void"
        text = function.name + "(" + ", ".join(f"{{{i}}}" for i in range(len(arguments))) + ")"
        super().__init__(sort, text, arguments, None, None if sort != "int" else function.result)
        self.function = function

    def value(self, env):
        return self.function.call(env, [kid.value(env) for kid in self.kids])
