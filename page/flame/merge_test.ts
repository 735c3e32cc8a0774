// SPDX-License-Identifier: Apache-2.0
import { equal, finish, isTrue, test } from "../common/testing";
import { asFolded } from "./export";
import { functionWeights, ranked } from "./functions";
import { filtered, isSorted, mergeDown, reversed, sandwich } from "./merge";
import { profileOf, shown } from "./sample";
import { matchedTotal, matching, pattern } from "./search";
import { Tree, weigh } from "./tree";

const PLAIN = { collapse: false, byWeight: false };
const { frames, tree } = profileOf(["main;read;copy 3", "main;write;copy 5", "main;write 1", "idle 2"]);
const number = (name: string): number => frames.name.indexOf(name);

/* What tree.ts promises. */
function isSound(tree: Tree): boolean {
	const total = Float64Array.from(tree.self);
	for (let i = tree.length - 1; i > 0; i--) {
		total[tree.parent[i]] += total[i];
		if (tree.parent[i] >= i || tree.end[tree.parent[i]] < tree.end[i] || tree.depth[i] !== tree.depth[tree.parent[i]] + 1)
			return false;
	}
	return total.every((value, i) => value === tree.total[i]);
}

test("totals include what is called", () => {
	equal(shown(frames, tree), ["idle 2", "main 9", "main;read 3", "main;read;copy 3", "main;write 6", "main;write;copy 5"]);
	isTrue(isSound(tree), "unsound");
});

test("from the leaf, what is the same at the end is one", () => {
	const up = reversed(tree, frames);
	equal(shown(frames, up), ["copy 8", "copy;read 3", "copy;read;main 3", "copy;write 5", "copy;write;main 5",
		"idle 2", "write 1", "write;main 1"]);
	equal(up.total[0], tree.total[0]);
	isTrue(isSound(up), "unsound");
});

test("reversed twice is the same", () => {
	equal(asFolded(frames, reversed(reversed(tree, frames), frames)), asFolded(frames, tree));
});

test("callers and callees of a function", () => {
	const [callers, callees] = sandwich(tree, frames, number("write"), PLAIN);
	equal(shown(frames, callers), ["main 6"]);
	equal(shown(frames, callees), ["copy 5"]);
	equal([callers.total[0], callees.total[0], callees.self[0]], [6, 6, 1]);
});

test("a function that calls itself is counted once among its callers", () => {
	const { frames, tree } = profileOf(["a;f;g;f;h 4", "a;f 1", "f 2"]);
	const [callers, callees] = sandwich(tree, frames, frames.name.indexOf("f"), PLAIN);
	equal([callers.total[0], callees.total[0]], [7, 7]);
	equal(shown(frames, callers), ["a 5"]);
	equal(shown(frames, callees), ["g 4", "g;f 4", "g;f;h 4"]);
});

test("functions by their weight, recursion counted once", () => {
	const { frames, tree } = profileOf(["a;f;g;f;h 4", "a;f 1", "f 2"]);
	const weights = functionWeights(tree, frames.length);
	equal([[...weights.total], [...weights.self]], [[5, 7, 4, 4], [0, 3, 0, 4]]);	/* a f g h */
	equal(ranked(weights, "total", null), [1, 0, 2, 3]);
	equal(ranked(weights, "self", null), [3, 1]);
	equal(ranked(weights, "self", matching(frames, "f")), [1]);
});

test("recursion collapses, and what is called from all levels is one", () => {
	const { frames, tree } = profileOf(["a;f;f;f;g 1", "a;f;g 2", "a;f;f 3", "a;f;g;f 4"]);
	const flat = mergeDown(tree, frames, [0], { collapse: true, byWeight: false });
	equal(shown(frames, flat), ["a 10", "a;f 10", "a;f;g 7", "a;f;g;f 4"]);
	isTrue(isSound(flat), "unsound");
});

test("deep recursion needs no deep stack", () => {
	const { frames, tree } = profileOf([Array.from({ length: 900 }, () => "f").join(";") + " 1"]);
	equal(shown(frames, mergeDown(tree, frames, [0], { collapse: true, byWeight: false })), ["f 1"]);
});

test("the widest first", () => {
	equal(shown(frames, mergeDown(tree, frames, [0], { collapse: false, byWeight: true })),
		["main 9", "main;write 6", "main;write;copy 5", "main;read 3", "main;read;copy 3", "idle 2"]);
});

test("siblings that are out of order are found, and sorted", () => {
	const wrong = mergeDown(tree, frames, [0], { collapse: false, byWeight: true });
	isTrue(isSorted(tree, frames), "sorted");
	isTrue(!isSorted(wrong, frames), "not sorted");
	equal(shown(frames, mergeDown(wrong, frames, [0], PLAIN)), shown(frames, tree));
});

test("focus keeps stacks with a match, ignore drops them", () => {
	equal(shown(frames, filtered(tree, matching(frames, "copy"), null)),
		["main 8", "main;read 3", "main;read;copy 3", "main;write 5", "main;write;copy 5"]);
	equal(shown(frames, filtered(tree, null, matching(frames, "copy"))), ["idle 2", "main 1", "main;write 1"]);
	equal(shown(frames, filtered(tree, matching(frames, "main"), matching(frames, "write"))),
		["main 3", "main;read 3", "main;read;copy 3"]);
	equal(filtered(tree, matching(frames, "nothing"), null).total[0], 0);
});

test("a difference keeps both weights through every merge, and vanished paths have width", () => {
	const { frames, tree } = profileOf(["a;gone 4 0", "a;new 0 6", "a;same 2 2"]);
	equal(shown(frames, tree), ["a 6 8", "a;gone 4 0", "a;new 0 6", "a;same 2 2"]);
	weigh(tree, "larger", 1);
	equal([...tree.width], [12, 12, 4, 6, 2]);
	weigh(tree, "before", 2);
	equal([...tree.width], [12, 12, 8, 0, 4]);
	weigh(tree, "after", 1);
	equal([...tree.width], [8, 8, 0, 6, 2]);
	equal(shown(frames, reversed(tree, frames)), ["gone 4 0", "gone;a 4 0", "new 0 6", "new;a 0 6", "same 2 2", "same;a 2 2"]);
	const [callers, callees] = sandwich(tree, frames, frames.name.indexOf("gone"), PLAIN);
	equal([shown(frames, callers), callees.beforeTotal![0]], [["a 4 0"], 4]);
	equal(asFolded(frames, tree), "a;gone 4 0\na;new 0 6\na;same 2 2\n");
	equal(shown(frames, filtered(tree, matching(frames, "gone"), null)), ["a 4 0", "a;gone 4 0"]);
	equal(ranked(functionWeights(tree, frames.length), "self", null).map((frame) => frames.name[frame]), ["new", "gone", "same"]);
});

test("a search counts nested matches once", () => {
	equal(matchedTotal(tree, matching(frames, "main|copy")!), 9);
	equal(matchedTotal(tree, matching(frames, "copy")!), 8);
	equal(matchedTotal(tree, matching(frames, "^cop$")!), 0);
	equal(matching(frames, ""), null);
});

test("small letters find capitals, capitals do not; what is no expression is text", () => {
	isTrue(pattern("row").test("RowSearch"), "row");
	isTrue(!pattern("Row").test("row_search"), "Row");
	isTrue(pattern("\\Bow").test("row"), "a class is no capital");
	isTrue(pattern("operator(").test("std::operator()"), "operator(");
	isTrue(pattern("a[").test("a[0]"), "a[");
	isTrue(pattern("\\").test("a\\b"), "backslash");
});

test("folded text names objects", () => {
	const { frames, tree } = profileOf(["app`main;libc`read 1"]);
	equal(asFolded(frames, tree), "app`main;libc`read 1\n");
	frames.name[0] = "a;b";
	equal(asFolded(frames, tree), "app`a:b;libc`read 1\n");
});

test("an object is found with its function", () => {
	const { frames } = profileOf(["libc`read 1", "vmlinux`read 1"]);
	equal([...matching(frames, "^libc`")!], [1, 0]);
	equal([...matching(frames, "^read$")!], [1, 1]);
});

test("many random stacks: each merge keeps the sum and the promises", () => {
	let seed = 1;
	const random = (below: number): number => (seed = (seed * 48271) % 2147483647) % below;
	for (let round = 0; round < 50; round++) {
		const stacks = new Map<string, number>();
		for (let i = 0; i < 30; i++)
			stacks.set(Array.from({ length: 1 + random(6) }, () => "abcd"[random(4)]).join(";"), 1 + random(9));
		const { frames, tree } = profileOf([...stacks].map(([stack, weight]) => `${stack} ${weight}`));
		const up = reversed(tree, frames);
		equal(asFolded(frames, reversed(up, frames)), asFolded(frames, tree));
		/* the same by hand: the sum of all stacks that end so */
		for (const line of shown(frames, up)) {
			const [path, total] = line.split(" ");
			const wanted = path.split(";").reverse().join(";");
			const sum = [...stacks].filter(([stack]) => (";" + stack).endsWith(";" + wanted)).reduce((all, [, weight]) => all + weight, 0);
			equal(Number(total), sum);
		}
		for (const made of [up, mergeDown(tree, frames, [0], { collapse: true, byWeight: true }), ...sandwich(tree, frames, 0, PLAIN)])
			isTrue(isSound(made), "unsound");
		const weightOfA = [...stacks].filter(([stack]) => stack.includes("a")).reduce((all, [, weight]) => all + weight, 0);
		equal(sandwich(tree, frames, frames.name.indexOf("a"), PLAIN).map((made) => made.total[0]), [weightOfA, weightOfA]);
	}
});

finish();
