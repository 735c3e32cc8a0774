# SPDX-License-Identifier: Apache-2.0
"""Somebody else's probe: probe.py PROGRAM SYMBOL [return]

On a symbol of a program that is not position-independent, until it is killed.
"""
import ctypes, os, struct, sys, time

program, symbol = sys.argv[1:3]
path = ctypes.create_string_buffer(program.encode())
address = next(line.split()[0] for line in os.popen(f"nm {program}") if line.split()[-1] == symbol)
attr = bytearray(128)
kind = int(open("/sys/bus/event_source/devices/uprobe/type").read())
struct.pack_into("<IIQ", attr, 0, kind, len(attr), int(sys.argv[3:] == ["return"]))
struct.pack_into("<QQ", attr, 56, ctypes.addressof(path), int(address, 16) - 0x400000)
libc = ctypes.CDLL(None)
for cpu in range(os.cpu_count()):
    if libc.syscall(298, (ctypes.c_char * len(attr)).from_buffer(attr), -1, cpu, -1, 8) < 0:
        sys.exit("perf_event_open failed")
print("placed", flush=True)
time.sleep(600)
