// SPDX-License-Identifier: Apache-2.0
import { contrast, hash, hsl, textOn } from "./colour";
import { readFragment, writeFragment } from "./fragment";
import { equal, finish, isTrue, test, throws } from "./testing";
import { fitted, visible } from "./text";
import { change, grouped, percent, quantity } from "./units";
import { base64Bytes, VarintReader } from "./varint";

test("base64 of every length, and what is none", () => {
	equal(Array.from(base64Bytes("")), []);
	equal(Array.from(base64Bytes("AA==")), [0]);
	equal(Array.from(base64Bytes("AP8=")), [0, 255]);
	equal(Array.from(base64Bytes("AP8+")), [0, 255, 62]);
	equal(Array.from(base64Bytes("AP8+gA")), [0, 255, 62, 128]);
	throws(() => base64Bytes("A*=="));
	throws(() => base64Bytes("AAAAA"));
	throws(() => base64Bytes("AAA\u0141"));
});

test("varints up to 2^53", () => {
	const read = (...bytes: number[]): number => new VarintReader(Uint8Array.from(bytes)).next();
	equal([read(0), read(127), read(128, 1), read(0xff, 0x7f)], [0, 127, 128, 16383]);
	equal(read(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 15), 2 ** 53 - 1);
	throws(() => read(128));
	throws(() => read(...Array.from({ length: 20 }, () => 255)));
});

test("numbers are for people", () => {
	equal([grouped(1234567), grouped(-1234.5), grouped(999)], ["1,234,567", "-1,234.5", "999"]);
	equal(["samples", "", "ns", "bytes"].map((unit) => quantity(1536, unit)), ["1,536 samples", "1,536", "1.54 µs", "1.5 KiB"]);
	equal([0, 999, 1e6, 12.34e9, 90e9].map((value) => quantity(value, "ns")), ["0 ns", "999 ns", "1 ms", "12.3 s", "1.5 min"]);
	equal([change(5, "samples"), change(-1e6, "ns"), change(0, "")], ["+5 samples", "-1 ms", "0"]);
	equal([percent(1, 3), percent(1, 1), percent(0, 5), percent(1, 1e6), percent(1, 0)], ["33.33%", "100%", "0%", "<0.01%", "0%"]);
});

test("what cannot be seen is shown", () => {
	equal(visible("a\u0000\u001b[2J\n\u007f\u009b"), "a\\x00\\x1b[2J\\x0a\\x7f\\x9b");
	equal(visible("\u202eevil\u2028\ud800"), "\\u202eevil\\u2028\\ud800");
	equal(visible("größe 中 \u{1f600} <b>"), "größe 中 \u{1f600} <b>");
});

test("text that is too long ends with an ellipsis", () => {
	const wide = (text: string): number => Array.from(text).length * 20;
	equal(fitted("function", 80, 10, wide), "function");
	equal(fitted("function", 50, 10, wide), "func…");
	equal(fitted("a function", 40, 10, wide), "a f…");
	equal(fitted("a function", 30, 10, wide), "a…");
	equal(fitted("function", 29, 10, wide), "");
	equal(fitted("中中中中", 60, 10, wide), "中中…");
	equal(fitted("\u{1f600}\u{1f600}\u{1f600}\u{1f600}", 60, 10, wide), "\u{1f600}\u{1f600}…");
});

test("one of black and white can be read on any colour", () => {
	for (let hue = 0; hue < 360; hue += 5)
		for (let light = 0; light <= 1; light += 0.05) {
			const colour = hsl(hue, 0.8, light);
			isTrue(contrast(colour, textOn(colour)) >= 4.5, String(colour));
		}
	equal([hsl(0, 1, 0.5), hsl(120, 1, 0.5), hsl(240, 1, 0.5)], [[255, 0, 0], [0, 255, 0], [0, 0, 255]]);
});

test("a hash is always the same, and spread", () => {
	equal(hash("main"), hash("main"));
	const places = new Set(Array.from({ length: 1000 }, (_, i) => Math.floor(10 * hash("function_" + i))));
	equal(places.size, 10);
});

const INITIAL = { search: "", zoom: 0, collapse: false };

test("a state survives the URL", () => {
	const state = { search: "a&b=c#\u{1f600} <", zoom: 12, collapse: true };
	equal(readFragment("#" + writeFragment(state, INITIAL), INITIAL), state);
	equal(writeFragment(INITIAL, INITIAL), "");
});

test("a URL with nonsense does no harm", () => {
	equal(readFragment("#zoom=x&search=row&__proto__=1&other=2&collapse=7&constructor=3", INITIAL), { ...INITIAL, search: "row" });
	equal(readFragment("#zoom=Infinity&%%%=1", INITIAL), INITIAL);
});

finish();
