# A 32-bit process: where it is, and that this is all.
. "$suite/lib.sh"
python3 - <<'END'
import struct
code = b"\xeb\xfe"	# jmp to itself
base = 0x08048000
header = struct.pack("<16sHHIIIIIHHHHHH", b"\x7fELF\x01\x01\x01", 2, 3, 1, base + 84, 52, 0, 0, 52, 32, 1, 0, 0, 0)
segment = struct.pack("<IIIIIIII", 1, 0, base, base, 84 + len(code), 84 + len(code), 5, 4096)
open("narrow", "wb").write(header + segment + code)
END
chmod +x narrow
./narrow 2>/dev/null &
target=$!
# a kernel that does not run it leaves a shell that ends
while [ "$(readlink /proc/$target/exe)" != "$PWD/narrow" ]; do
	case $(cut -d' ' -f3 /proc/$target/stat 2>/dev/null) in
	Z|'') skip "this kernel runs no 32-bit programs" ;;
	esac
	sleep 0.05
done
"$dtrace" -qn 'profile-997 /pid == $1/ { ustack(); printf("%d frame\n", ustackdepth); exit(0); }' $target
kill $target
wait $target 2>/dev/null
exit 0
