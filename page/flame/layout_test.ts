// SPDX-License-Identifier: Apache-2.0
import { contrast, css, Rgb } from "../common/colour";
import { equal, finish, isTrue, test } from "../common/testing";
import { asSvg } from "./export";
import { BoxIndex, Layout, layOut, Part, picture } from "./layout";
import { changeOf, isVanished, Painter, PALETTES } from "./palette";
import { profileOf } from "./sample";
import { initialState } from "./state";
import { Tree, weigh } from "./tree";
import { View } from "./view";
import { describe, inOneLine } from "./words";

const profile = profileOf(["main;read 30", "main;write;copy 50", "main;write 10", "idle 10"]);
const { frames, tree } = profile;
const names = (layout: Layout, from: Tree): string[] => layout.boxes.map(({ node, row, x, width }) =>
	`${frames.name[from.frame[node]] ?? "all"} row ${row} at ${x} + ${width}`);
const part = (from: Tree, grows: "up" | "down", zoom = 0): Part => ({ tree: from, grows, zoom, hidesRoot: false });
const ALL = { width: 100, firstRow: 0, lastRow: 100, least: 0 };

test("a flame has its root at the bottom, an icicle at the top", () => {
	equal(names(layOut(picture([part(tree, "up")]), ALL), tree), ["all row 3 at 0 + 100", "idle row 2 at 0 + 10",
		"main row 2 at 10 + 90", "read row 1 at 10 + 30", "write row 1 at 40 + 60", "copy row 0 at 40 + 50"]);
	equal(names(layOut(picture([part(tree, "down")]), ALL), tree)[5], "copy row 3 at 40 + 50");
});

test("a zoom shows ancestors as wide as all, and only what is below", () => {
	equal(names(layOut(picture([part(tree, "up", 4)]), ALL), tree), ["all row 3 at 0 + 100", "main row 2 at 0 + 100",
		"write row 1 at 0 + 100", "copy row 0 at 0 + " + 50 * (100 / 60)]);
});

test("rows outside of the window are left out", () => {
	equal(names(layOut(picture([part(tree, "up")]), { ...ALL, firstRow: 1, lastRow: 2 }), tree),
		["idle row 2 at 0 + 10", "main row 2 at 10 + 90", "read row 1 at 10 + 30", "write row 1 at 40 + 60"]);
});

test("narrow frames side by side are one remainder", () => {
	const many = profileOf(["a 100", "b 1", "c 1", "c;x 1", "d 100", "e 1"]);
	const { boxes, remainders } = layOut(picture([part(many.tree, "down")]), { ...ALL, width: 204, least: 5 });
	equal(boxes.map(({ node }) => many.frames.name[many.tree.frame[node]] ?? "all"), ["all", "a", "d"]);
	equal(remainders.map(({ row, x, width }) => [row, Math.round(x), Math.round(width)]), [[1, 100, 3], [1, 203, 1]]);
});

test("a place finds its frame", () => {
	const index = new BoxIndex(layOut(picture([part(tree, "up")]), ALL).boxes);
	equal([index.at(2, 5)?.node, index.at(2, 10)?.node, index.at(2, 99)?.node, index.at(0, 95), index.at(7, 5)], [1, 2, 2, null, null]);
	equal(index.find(0, 5)?.row, 0);
});

test("callers are above the function and callees below it", () => {
	const view = new View(profile);
	const shape = view.pictureOf({ ...initialState(false), merge: "function", function: "write" });
	const { boxes } = layOut(shape, ALL);
	equal(boxes.map(({ part, node, row }) => `${frames.name[shape.parts[part].tree.frame[node]]} ${row}`),
		["main 0", "write 1", "copy 2"]);
});

test("a function that does not exist leaves nothing", () => {
	const shape = new View(profile).pictureOf({ ...initialState(false), merge: "function", function: "nobody" });
	equal(layOut(shape, ALL).boxes, []);
});

test("a zoom that does not exist is none", () => {
	equal(new View(profile).pictureOf({ ...initialState(false), zoom: 4711 }).parts[0].zoom, 0);
});

test("a frame says what it is", () => {
	equal(inOneLine(describe(profile, tree, tree, 4, true)),
		"write: 60 samples, 60.00% of all, 66.67% of parent; 10 samples in the function itself, 10.00% of all; user");
	equal(inOneLine(describe(profile, tree, tree, 0, true)), "all: 100 samples, 100% of all");
});

test("a difference says what changed, and what vanished", () => {
	const two = profileOf(["a;gone 4 0", "a;new 0 6", "a;same 2 2"]);
	weigh(two.tree, "larger", 1);
	const said = [1, 2, 3].map((node) => inOneLine(describe(two, two.tree, two.tree, node, true)));
	equal(said, ["a: 8 samples, 100% of all, 100% of parent; 6 samples before, +2 samples; user",
		"gone: 4 samples before, vanished, 66.67% of all, 66.67% of parent; user",
		"new: 6 samples, 75.00% of all, 75.00% of parent; 6 samples in the function itself, 75.00% of all; new; " +
		"itself: 0 samples before, +6 samples; user"]);
	equal([1, 2, 3, 4].map((node) => changeOf(two.tree, node, "total", 1)), [0.25, -1, 1, 0]);
	equal([1, 4].map((node) => changeOf(two.tree, node, "self", 1)), [0, 0]);
	equal([1, 2, 3, 4].map((node) => isVanished(two.tree, node)), [false, true, false, false]);
});

function rgb(text: string): Rgb {
	const value = parseInt(text.slice(1), 16);
	return [value >> 16, value >> 8 & 255, value & 255];
}

test("text on every colour can be read", () => {
	const many = profileOf(Array.from({ length: 300 }, (_, i) => `lib${i % 40}\`function_${i} ${i % 7} ${i % 5}`));
	many.frames.kind.forEach((_, i) => { many.frames.kind[i] = i % 5; });
	for (const palette of PALETTES)
		for (let node = 0; node < many.tree.length; node++) {
			const { fill, text } = new Painter(palette, many.frames, "total", 1).of(many.tree, node);
			isTrue(contrast(rgb(fill), rgb(text)) >= 4.5, `${palette}: ${text} on ${fill}`);
		}
	equal(css([1, 2, 3]), "#010203");
});

test("hostile names stay text in SVG", () => {
	const bad = profileOf(["</title><script>alert(1)</script>&\"' 1"]);
	const svg = asSvg({
		profile: bad, stacks: bad.tree, picture: picture([part(bad.tree, "up")]), painter: new Painter("warm", bad.frames, "total", 1),
		matches: null, least: 0, hasSelf: () => true,
	});
	isTrue(!svg.includes("<script") && svg.includes("&#60;script&#62;"), svg);
});

finish();
