/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * D expressions and what they yield: one table for the interpreter
 * (lower_test.c) and for the kernel (the differential test), which must agree.
 * `setup` is what precedes trace(expression) in the clause.  The result is
 * either `text` (strings), `fault`, or `value`; a value is extended from the
 * size and sign of the expression's type, as trace() prints it.
 *
 * Constants would be folded by the compiler before we see them, so operands
 * are mostly variables.
 */

#include <stddef.h>
#include <stdint.h>

#include "ir/ir.h"

struct expression_case {
	const char *declare; /* before the clause */
	const char *setup;
	const char *expression;
	int64_t value;
	const char *text;
	enum fault fault; /* FAULT_UNKNOWN: none */
};

#define VALUE(setup, expression, value) \
	{ "", setup, expression, value, NULL, FAULT_UNKNOWN }
#define TEXT(setup, expression, text) \
	{ "", setup, expression, 0, text, FAULT_UNKNOWN }
#define FAULTS(setup, expression, fault) \
	{ "", setup, expression, 0, NULL, fault }
#define DECLARED(declare, setup, expression, value) \
	{ declare, setup, expression, value, NULL, FAULT_UNKNOWN }

static const struct expression_case expression_cases[] = {
	/* arithmetic in 64 bits */
	VALUE("this->a = 40LL; this->b = 2LL;", "this->a + this->b", 42),
	VALUE("this->a = 40LL; this->b = 2LL;", "this->a - this->b", 38),
	VALUE("this->a = 40LL; this->b = 2LL;", "this->b - this->a", -38),
	VALUE("this->a = -7LL; this->b = 3LL;", "this->a * this->b", -21),
	VALUE("this->a = -7LL; this->b = 2LL;", "this->a / this->b", -3),
	VALUE("this->a = -7LL; this->b = 2LL;", "this->a % this->b", -1),
	VALUE("this->a = 7LL; this->b = -2LL;", "this->a % this->b", 1),
	VALUE("this->a = 7LL; this->b = -2LL;", "this->a / this->b", -3),
	VALUE("this->a = 12LL; this->b = 10LL;", "this->a & this->b", 8),
	VALUE("this->a = 12LL; this->b = 10LL;", "this->a | this->b", 14),
	VALUE("this->a = 12LL; this->b = 10LL;", "this->a ^ this->b", 6),
	VALUE("this->a = 12LL;", "~this->a", -13),
	VALUE("this->a = 12LL;", "-this->a", -12),
	VALUE("this->a = 12LL;", "+this->a", 12),
	VALUE("this->a = 12LL;", "!this->a", 0),
	VALUE("this->a = 0LL;", "!this->a", 1),
	VALUE("this->a = 1LL; this->b = 40;", "this->a << this->b",
	      INT64_C(1) << 40),
	VALUE("this->a = -256LL; this->b = 4;", "this->a >> this->b", -16),
	VALUE("this->a = 0x8000000000000000ULL; this->b = 60;",
	      "this->a >> this->b", 8),
	VALUE("this->a = (int64_t)0x8000000000000000; this->b = -1LL;",
	      "this->a / this->b", INT64_MIN),
	VALUE("this->a = (int64_t)0x8000000000000000; this->b = -1LL;",
	      "this->a % this->b", 0),
	VALUE("this->a = (uint64_t)-1; this->b = 10ULL;", "this->a / this->b",
	      1844674407370955161),
	VALUE("this->a = (uint64_t)-1; this->b = 10ULL;", "this->a % this->b",
	      5),
	FAULTS("this->a = 1; this->b = 0;", "this->a / this->b",
	       FAULT_DIVZERO),
	FAULTS("this->a = 1; this->b = 0;", "this->a % this->b",
	       FAULT_DIVZERO),

	/*
	 * no promotion: the higher rank wins, trace() truncates the result to
	 * it
	 */
	VALUE("this->a = (char)100; this->b = (char)100;", "this->a + this->b",
	      -56),
	VALUE("this->a = (unsigned char)200; this->b = (unsigned char)100;",
	      "this->a + this->b", 44),
	VALUE("this->a = (short)32767; this->b = (short)1;",
	      "this->a + this->b", -32768),
	VALUE("this->a = 2147483647; this->b = 1;", "this->a + this->b",
	      INT32_MIN),
	VALUE("this->a = 4294967295U; this->b = 1;", "this->a + this->b", 0),
	VALUE("this->a = (unsigned char)255; this->b = (short)1;",
	      "this->a + this->b", 256),
	VALUE("this->a = (char)-1; this->b = (unsigned char)1;",
	      "this->a + this->b", 0),
	VALUE("this->a = 65536; this->b = 65536;", "this->a * this->b", 0),
	VALUE("this->a = 65536; this->b = 65536LL;", "this->a * this->b",
	      INT64_C(1) << 32),
	VALUE("this->a = 1; this->b = 31;", "this->a << this->b", INT32_MIN),
	VALUE("this->a = -1; this->b = 4LL;", "this->a >> this->b", -1),
	VALUE("this->a = (unsigned char)1;", "~this->a", 254),
	VALUE("this->a = (int)0x80000000; this->b = -1;", "this->a / this->b",
	      INT32_MIN),
	VALUE("this->a = (char)-128;", "-this->a", -128),

	/* nothing else truncates */
	VALUE("this->a = 2147483647; this->b = 1;",
	      "this->a + this->b + 0LL", 2147483648),
	VALUE("this->a = (char)100;", "this->a * this->a + 0LL", 10000),
	VALUE("this->a = 65536;", "this->a * this->a == 1LL << 32", 1),
	VALUE("this->a = 3;", "0LL + this->a * 1000000000", 3000000000),
	VALUE("this->a = (unsigned char)1;", "0LL + ~this->a", -2),
	VALUE("this->a = (char)0;", "(this->a = 300) + 0LL", 300),
	VALUE("x = 0; x = 5000000000;", "x", 5000000000),
	VALUE("x = 0; x += 5000000000;", "x", 5000000000),
	VALUE("x = 0; x++; x *= 5000000000;", "x", 5000000000),
	VALUE("self->x = 0; self->x = 5000000000;", "self->x", 5000000000),
	VALUE("x = -1; x = 18446744073709551615;", "x < 0", 1),
	VALUE("x = 0; x = 18446744073709551615;", "x < 0", 0),
	DECLARED("int g;", "g = 5000000000;", "g", 705032704),
	DECLARED("int g;", "g = 5000000000;", "g / 2 + 0LL", 2500000000),
	DECLARED("int g;", "g = 5000000000;", "(int)g + 0LL", 705032704),
	DECLARED("int a[4];", "a[1] = 5000000000;", "a[1] + 0LL", 705032704),
	DECLARED("int a[4];", "", "(a[1] = 5000000000) + 0LL", 705032704),
	DECLARED("struct s { int x; }; struct s g;", "g.x = 5000000000;",
		 "g.x + 0LL", 705032704),
	DECLARED("struct s { short x; }; struct s g;", "g.x = 1;",
		 "(g.x += 65536) + 0LL", 1),
	DECLARED("inline int far = 10 * 1000000000;", "", "far + 0LL",
		 10000000000),
	DECLARED("inline int near = 10000000000;", "", "near + 0LL",
		 1410065408),
	VALUE("this->a = -7; this->b = 2U;", "this->a / this->b", 4294967292),

	/* comparison follows the promoted type, in 64 bits */
	VALUE("this->a = -1; this->b = 1;", "this->a < this->b", 1),
	VALUE("this->a = -1; this->b = 1U;", "this->a < this->b", 0),
	VALUE("this->a = -1; this->b = 1U;", "this->a > this->b", 1),
	VALUE("this->a = -1; this->b = 1ULL;", "this->a < this->b", 0),
	VALUE("this->a = -1; this->b = 4294967295U;", "this->a == this->b", 0),
	VALUE("this->a = -1LL; this->b = 4294967295U;", "this->a == this->b",
	      0),
	VALUE("this->a = (char)-1; this->b = (unsigned char)255;",
	      "this->a == this->b", 0),
	VALUE("this->a = (unsigned char)255; this->b = -1;",
	      "this->a == this->b", 0),
	VALUE("this->a = 5; this->b = 5;", "this->a <= this->b", 1),
	VALUE("this->a = 5; this->b = 5;", "this->a >= this->b", 1),
	VALUE("this->a = 5; this->b = 5;", "this->a != this->b", 0),

	/* casts */
	VALUE("this->a = 0x1234567890LL;", "(int)this->a", 0x34567890),
	VALUE("this->a = 0xffffffffLL;", "(int)this->a", -1),
	VALUE("this->a = 0xffffffffLL;", "(uint32_t)this->a", 0xffffffff),
	VALUE("this->a = 511LL;", "(char)this->a", -1),
	VALUE("this->a = 511LL;", "(uint8_t)this->a", 255),
	VALUE("this->a = -1;", "(uint64_t)this->a", -1),
	VALUE("this->a = 4294967295U;", "(int64_t)this->a", 4294967295),
	VALUE("this->a = -1;", "(uint16_t)this->a", 65535),

	/* logic */
	VALUE("this->a = 2; this->b = 4;", "this->a && this->b", 1),
	VALUE("this->a = 0; this->b = 4;", "this->a && this->b", 0),
	VALUE("this->a = 0; this->b = 4;", "this->a || this->b", 1),
	VALUE("this->a = 0; this->b = 0;", "this->a || this->b", 0),
	VALUE("this->a = 2; this->b = 4;", "this->a ^^ this->b", 0),
	VALUE("this->a = 0; this->b = 4;", "this->a ^^ this->b", 1),
	VALUE("this->a = 0; this->b = 1;",
	      "(this->a && (this->b = 5)) || this->b == 1", 1),
	VALUE("this->a = 0; this->b = 1;", "(this->a && this->b++, this->b)",
	      1),
	VALUE("this->a = 1; this->b = 1;", "(this->a && this->b++, this->b)",
	      2),
	VALUE("this->a = 1; this->b = 0;",
	      "this->a || this->a / this->b", 1),
	FAULTS("this->a = 1; this->b = 0;",
	       "this->b || this->a / this->b", FAULT_DIVZERO),
	VALUE("this->a = 3;", "this->a == 3 ? 10 : 20", 10),
	VALUE("this->a = 4;", "this->a == 3 ? 10 : 20", 20),
	VALUE("this->a = 4;", "this->a == 3 ? 10 : this->a == 4 ? 30 : 40",
	      30),
	VALUE("this->a = 0; this->b = 7;",
	      "this->a ? this->b / this->a : this->b", 7),

	/* assignment and its value */
	VALUE("this->a = 5;", "this->a++ + this->a", 11),
	VALUE("this->a = 5;", "++this->a + this->a", 12),
	VALUE("this->a = 5;", "this->a-- - this->a", 1),
	VALUE("this->a = 5;", "this->a += this->a++", 10),
	VALUE("this->a = 5;", "this->a -= ++this->a", -1),
	VALUE("x = 5;", "(x *= x = 3, x)", 15),
	VALUE("self->x = 5;", "self->x += (self->x = 7)", 12),
	VALUE("this->a = 5;", "this->a += 3", 8),
	VALUE("this->a = 5;", "this->a -= 8", -3),
	VALUE("this->a = 5;", "this->a *= 3", 15),
	VALUE("this->a = 17;", "this->a /= 5", 3),
	VALUE("this->a = 17;", "this->a %= 5", 2),
	VALUE("this->a = 17;", "this->a <<= 2", 68),
	VALUE("this->a = 17;", "this->a >>= 2", 4),
	VALUE("this->a = 17;", "this->a &= 3", 1),
	VALUE("this->a = 17;", "this->a |= 3", 19),
	VALUE("this->a = 17;", "this->a ^= 3", 18),
	VALUE("this->a = (char)0;", "this->a = 300", 44),
	VALUE("this->a = (char)0; this->a = 100;", "this->a + this->a", -56),
	DECLARED("this char a;", "", "this->a = 300", 44),
	VALUE("this->a = (unsigned char)250;", "(this->a += 10, this->a)", 4),
	VALUE("this->a = 1; this->b = 2;", "(this->a = this->b) + this->a", 4),
	VALUE("x = 41;", "++x", 42),
	VALUE("x = 41;", "x++ + x", 83),
	VALUE("self->x = 41;", "self->x + 1", 42),
	VALUE("self->x = (short)-3;", "self->x", -3),
	VALUE("", "(this->z = 1, this->z)", 1),
	DECLARED("int g;", "", "g", 0),
	DECLARED("self int t; ", "", "self->t", 0),
	DECLARED("this int q;", "", "this->q", 0),

	/* arrays and structs of D's own */
	DECLARED("int a[4];", "a[2] = 7; this->i = 2;", "a[this->i]", 7),
	DECLARED("int a[4];", "a[2] = 7; this->i = 3;", "a[this->i]", 0),
	DECLARED("char a[4];", "this->i = 1; a[this->i] = 200;", "a[1]", -56),
	{ "int a[4];", "this->i = 4;", "a[this->i]", 0, NULL, FAULT_BADINDEX },
	{ "int a[4];", "this->i = -1;", "a[this->i]", 0, NULL,
	  FAULT_BADINDEX },
	DECLARED("struct s { int x; char y; long z; }; struct s g;",
		 "g.x = 5; g.y = 300; g.z = -9;", "g.x + g.y + g.z", 40),
	DECLARED("struct s { int x; char y; long z; }; struct s g, h;",
		 "g.x = 5; g.z = -9; h = g;", "h.x + h.z", -4),
	DECLARED("struct b { int l:3; unsigned m:5; int n:9; }; struct b g;",
		 "g.l = 7; g.m = 33; g.n = 255;", "g.l * 1000 + g.m * 300 + g.n",
		 4294966851),
	DECLARED("struct s { int x; }; this struct s t;", "this->t.x = 3;",
		 "this->t.x++ + this->t.x", 7),

	/* pointers */
	VALUE("this->p = (int *)0x1000;", "(uint64_t)(this->p + 3)", 0x100c),
	VALUE("this->p = (int *)0x1010; this->q = (int *)0x1000;",
	      "this->p - this->q", 4),
	VALUE("this->p = (short *)0x1010;", "(uint64_t)--this->p", 0x100e),
	VALUE("this->p = (char *)0x1010;", "this->p == 0", 0),
	FAULTS("this->p = (int *)0;", "*this->p", FAULT_BADADDR),
	FAULTS("this->p = (int *)8;", "this->p[4]", FAULT_BADADDR),
	FAULTS("this->p = (char *)16;", "stringof(this->p)", FAULT_BADADDR),

	/* strings */
	TEXT("this->s = \"hello\";", "this->s", "hello"),
	TEXT("s = \"hello\";", "s", "hello"),
	TEXT("self->s = \"hello\";", "self->s", "hello"),
	TEXT("s = \"hello\"; this->t = s; s = \"bye\";", "this->t", "hello"),
	TEXT("this->a = 1;", "this->a ? \"yes\" : \"never\"", "yes"),
	TEXT("this->a = 0;", "this->a ? \"yes\" : \"never\"", "never"),
	TEXT("s = \"abc\"; this->a = 0;", "this->a ? \"x\" : s", "abc"),
	TEXT("", "probename", "BEGIN"),
	TEXT("", "probeprov", "dtrace"),
	VALUE("s = \"abc\";", "s == \"abc\"", 1),
	VALUE("s = \"abc\";", "s == \"abd\"", 0),
	VALUE("s = \"abc\";", "s != \"ab\"", 1),
	VALUE("s = \"abc\";", "s < \"abd\"", 1),
	VALUE("s = \"abc\";", "s < \"abc\"", 0),
	VALUE("s = \"abc\";", "s <= \"abc\"", 1),
	VALUE("s = \"abc\";", "s > \"ab\"", 1),
	VALUE("s = \"abc\";", "\"abcd\" >= s", 1),
	VALUE("s = \"a\\377\";", "s > \"a\\001\"", 1),
	VALUE("s = \"abc\";", "s == (this->a = 1, s = \"x\")", 0),
	VALUE("s = \"abc\";", "s == NULL", 0),
	VALUE("s = \"abc\";", "s != NULL", 1),
	VALUE("s = \"abc\";", "strlen(s)", 3),
	VALUE("s = \"abcdefgh\";", "strlen(s)", 8),
	VALUE("s = \"abcdefgh\"; s = \"xy\";", "strlen(s)", 2),
	VALUE("s = \"abc\"; this->i = 1;", "s[this->i]", 'b'),
	VALUE("s = \"abc\"; this->i = 3;", "s[this->i]", 0),
	VALUE("", "probename == \"BEGIN\"", 1),
	VALUE("", "\"END\" == probename", 0),
	VALUE("s = probename;", "s == \"BEGIN\"", 1),
	DECLARED("string g;", "", "g == \"\"", 1),
	DECLARED("string g;", "", "strlen(g)", 0),
	DECLARED("string g;", "g = NULL;", "g == NULL", 1),
	DECLARED("string g;", "g = NULL;", "g == \"\"", 0),
	DECLARED("string g;", "g = NULL;", "g < \"\"", 1),
	DECLARED("string g;", "g = NULL; g = \"x\";", "g == NULL", 0),
	DECLARED("string g, h;", "g = NULL; h = g;", "h == NULL", 1),
	{ "string g;", "g = NULL;", "g", 0, NULL, FAULT_BADADDR },
	{ "string g;", "g = NULL;", "strlen(g)", 0, NULL, FAULT_BADADDR },

	/* inlines, if */
	DECLARED("inline int twice[int n] = n * 2;", "this->a = 21;",
		 "twice[this->a]", 42),
	VALUE("this->a = 1; if (this->a) { this->b = 3; } else { this->b = 4; }",
	      "this->b", 3),
	VALUE("this->a = 0; if (this->a) { this->b = 3; } else { this->b = 4; }",
	      "this->b", 4),
	VALUE("this->a = 0; this->b = 1; if (this->a) this->b = 9;",
	      "this->b", 1),
};

#undef VALUE
#undef TEXT
#undef FAULTS
#undef DECLARED
