#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Make hostile programs of honest ones, for the tests of this chapter.

    elf.py FROM TO CHANGE...

The program still runs: its segments stay as they are.  New sections are put
behind the end of the file.  Changes, in order:

    strtab=SIZE         names of .symtab are in a hole of SIZE bytes
    symtab=SIZE         .symtab is a hole of SIZE bytes
    section=NAME:SIZE   the section becomes a hole of SIZE bytes
    dense=NAME:SIZE     the same, of bytes that are there
    rename=OLD:NEW      a symbol, in .symtab; \\x1b and the like in NEW
    size=NAME:SIZE      a function of that name gets another size
    same=COUNT          COUNT functions more, all at the address of main
    long=COUNT:LENGTH   COUNT functions more, that share one name of LENGTH
    many=COUNT:LENGTH   COUNT functions more, with names of LENGTH and addresses of their own
    note=PROVIDER:NAME  a USDT note, at the address of main
    frames=COUNT:SIZE   .eh_frame: COUNT functions described by one CIE of SIZE bytes
    cies=COUNT          .eh_frame: COUNT CIEs and then COUNT functions, in the other order
"""
import os, shutil, struct, sys

SHDR = struct.Struct("<IIQQQQIIQQ")      # name type flags addr offset size link info align entsize
SYM = struct.Struct("<IBBHQQ")           # name info other shndx value size
SYMTAB, STRTAB, NOTE = 2, 3, 7


class Elf:
    def __init__(self, path):
        self.file = open(path, "r+b")
        head = self.read(0, 64)
        (self.shoff,) = struct.unpack_from("<Q", head, 40)
        entsize, count, names = struct.unpack_from("<HHH", head, 58)
        self.sections = [list(SHDR.unpack(self.read(self.shoff + i * entsize, SHDR.size))) for i in range(count)]
        self.shstrndx = names
        self.names = self.read(*self.sections[names][4:6])

    def read(self, offset, size):
        self.file.seek(offset)
        return self.file.read(size)

    def name(self, section):
        return self.names[section[0]:self.names.index(b"\0", section[0])].decode()

    def find(self, name):
        return next(i for i, s in enumerate(self.sections) if self.name(s) == name)

    def append(self, data):
        """Bytes behind the end, or a hole of that size; where they are."""
        self.file.seek(0, os.SEEK_END)
        at = (self.file.tell() + 4095) & ~4095
        if isinstance(data, int):
            self.file.truncate(at + data)
        else:
            self.file.seek(at)
            self.file.write(data)
        return at

    def put(self, index, data):
        self.sections[index][4] = self.append(data)
        self.sections[index][5] = data if isinstance(data, int) else len(data)

    def add(self, name, kind, data):
        self.names += name.encode() + b"\0"
        self.sections.append([len(self.names) - len(name) - 1, kind, 0, 0, 0, 0, 0, 0, 1, 0])
        self.put(len(self.sections) - 1, data)
        self.put(self.shstrndx, self.names)

    def symbols(self):
        table = self.sections[self.find(".symtab")]
        return [list(s) for s in SYM.iter_unpack(self.read(table[4], table[5]))]

    def strings(self):
        return self.read(*self.sections[self.find(".strtab")][4:6])

    def symbol(self, name):
        strings = self.strings()
        return next(s for s in self.symbols() if strings[s[0]:strings.index(b"\0", s[0])] == name.encode())

    def put_symbols(self, symbols, strings):
        self.put(self.find(".symtab"), b"".join(SYM.pack(*s) for s in symbols))
        self.put(self.find(".strtab"), strings)

    def close(self):
        at = self.append(b"".join(SHDR.pack(*s) for s in self.sections))
        self.file.seek(40)
        self.file.write(struct.pack("<Q", at))
        self.file.seek(60)
        self.file.write(struct.pack("<HH", len(self.sections), self.shstrndx))
        self.file.close()


def change(elf, what, value):
    if what == "strtab":
        strings = elf.strings()
        at = elf.append(strings)
        elf.file.truncate(at + int(value))
        elf.sections[elf.find(".strtab")][4:6] = [at, int(value)]
    elif what == "symtab":
        elf.put(elf.find(".symtab"), int(value))
    elif what in ("section", "dense"):
        name, size = value.split(":")
        data = int(size) if what == "section" else b"\x01" * int(size)
        try:
            elf.put(elf.find(name), data)
        except StopIteration:
            elf.add(name, 1, data)
    elif what == "rename":
        old, new = value.split(":", 1)
        symbols, strings, symbol = elf.symbols(), elf.strings(), elf.symbol(old)
        place = symbols.index(symbol)
        symbols[place][0] = len(strings)
        elf.put_symbols(symbols, strings + new.encode().decode("unicode_escape").encode("latin1") + b"\0")
    elif what == "size":
        name, size = value.split(":")
        symbols, symbol = elf.symbols(), elf.symbol(name)
        symbols[symbols.index(symbol)][5] = int(size)
        elf.put_symbols(symbols, elf.strings())
    elif what == "same":
        symbols, strings, main = elf.symbols(), elf.strings(), elf.symbol("main")
        symbols += [[len(strings) + 8 * i, *main[1:]] for i in range(int(value))]
        elf.put_symbols(symbols, strings + b"".join(b"f%06d\0" % i for i in range(int(value))))
    elif what == "long":
        count, length = map(int, value.split(":"))
        symbols, strings, main = elf.symbols(), elf.strings(), elf.symbol("main")
        symbols += [[len(strings), *main[1:]]] * count
        elf.put_symbols(symbols, strings + b"n" * length + b"\0")
    elif what == "many":
        count, length = map(int, value.split(":"))
        symbols, strings, main = elf.symbols(), elf.strings(), elf.symbol("main")
        symbols += [[len(strings) + i * (length + 1), *main[1:4], 0x10000000 + 16 * i, 16] for i in range(count)]
        elf.put_symbols(symbols, strings + b"".join(b"%0*d\0" % (length, i) for i in range(count)))
    elif what == "frames":
        count, size = map(int, value.split(":"))
        cie = struct.pack("<IB", 0, 1) + b"\0\x01\x78\x10" + b"\0" * size
        frames = struct.pack("<I", len(cie)) + cie
        start = len(frames)
        frames += b"".join(struct.pack("<IIQQ", 20, start + 24 * i + 4, 0x10000 + 16 * i, 16) for i in range(count))
        elf.put(elf.find(".eh_frame"), frames + b"\0" * 4)
    elif what == "cies":
        count, cie = int(value), struct.pack("<IIB", 12, 0, 1) + b"\0\x01\x78\x10\0\0"
        start = count * len(cie)
        elf.put(elf.find(".eh_frame"), cie * count + b"".join(
            struct.pack("<IIQQ", 20, start + 24 * i + 4 - len(cie) * i, 0x10000 + 16 * i, 16)
            for i in range(count)) + b"\0" * 4)
    elif what == "note":
        provider, name = value.encode().decode("unicode_escape").encode("latin1").split(b":", 1)
        payload = struct.pack("<QQQ", elf.symbol("main")[4], 0, 0) + provider + b"\0" + name + b"\0\0"
        elf.add(".note.stapsdt", NOTE, struct.pack("<III8s", 8, len(payload), 3, b"stapsdt\0") + payload + b"\0" * (-len(payload) % 4))
    else:
        sys.exit(f"{what}: no such change")


def main():
    shutil.copy(sys.argv[1], sys.argv[2])
    elf = Elf(sys.argv[2])
    for word in sys.argv[3:]:
        change(elf, *word.split("=", 1))
    elf.close()


main()
