/* keys of every type: integers of all sizes and signs, strings, pointers, enumerations, structs, none */
struct pair { int a; char b; };
enum colour { RED, GREEN };
struct pair p;
BEGIN {
	p.a = 0x41424344; p.b = 1;
	@i8[(int8_t)-1] = count(); @u8[(uint8_t)255] = count(); @i16[(int16_t)-1] = count(); @u16[(uint16_t)65535] = count();
	@i32[-1] = count(); @u32[4294967295] = count(); @i64[-1ll] = count(); @u64[0xffffffffffffffff] = count();
	@enum[GREEN] = count(); @pointer[(void *)0x1234] = count();
	@string["text"] = count(); @empty[""] = count();
	@long["a string that is longer than the fifty columns it would normally take"] = count();
	@name[probeprov, probename] = count(); @mixed["a", 1, "b", (char)2] = sum(3);
	@struct[p] = count();
	@none = count();
	exit(0);
}
