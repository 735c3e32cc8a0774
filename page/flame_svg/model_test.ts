// SPDX-License-Identifier: Apache-2.0

import { equal, finish, test } from "../common/testing";
import { Box, label, matches, neighbour, place, sentence, share } from "./model";

const root: Box = { left: 10, width: 100, row: 0, name: "all" };
const main: Box = { left: 10, width: 80, row: 1, name: "prog`main" };
const left: Box = { left: 10, width: 20, row: 2, name: "left" };
const right: Box = { left: 30, width: 60, row: 2, name: "right" };
const other: Box = { left: 90, width: 20, row: 1, name: "other" };

test("nothing moves when the root is chosen", () => {
	for (const box of [main, left, right, other])
		equal(place(box, root, root), { left: box.left, width: box.width, isBelow: false });
});

test("a chosen box is as wide as the root, on those that called it", () => {
	equal(place(right, right, root), { left: 10, width: 100, isBelow: false });
	equal(place(main, right, root), { left: 10, width: 100, isBelow: true });
	equal(place(root, right, root), { left: 10, width: 100, isBelow: true });
	equal(place(left, right, root), null);
	equal(place(other, right, root), null);
});

test("what is on a chosen box grows with it", () => {
	equal(place(left, main, root), { left: 10, width: 25, isBelow: false });
	equal(place(right, main, root), { left: 35, width: 75, isBelow: false });
});

test("names end readable", () => {
	equal(label("prog`main", 100, 7, 3), "main");
	equal(label("execute_command", 6 + 7 * 15, 7, 3), "execute_command");
	equal(label("execute_command", 6 + 7 * 14, 7, 3), "execute_comm..");
	equal(label("execute_command", 6 + 7 * 3, 7, 3), "e..");
	equal(label("execute_command", 6 + 7 * 2, 7, 3), "");
	equal(label("a\u{1f525}bcd", 6 + 7 * 4, 7, 3), "a\u{1f525}..");
	equal(label("f", 0, 7, 3), "");
});

test("keys lead from box to box", () => {
	const shown = [root, main, left, right, other];
	const steps = (from: Box): (string | undefined)[] =>
		(["callee", "caller", "left", "right"] as const).map((direction) => neighbour(shown, from, direction)?.name);
	equal(steps(root), ["prog`main", undefined, undefined, undefined]);
	equal(steps(main), ["right", "all", undefined, "other"]);
	equal(steps(left), [undefined, "prog`main", undefined, "right"]);
	equal(steps(other), [undefined, "all", "prog`main", undefined]);
	equal(neighbour([root, main, left], main, "callee"), left);
});

test("a sentence about a box keeps its numbers", () => {
	equal(sentence("main", " (5)", 70, 7), "main (5)");
	equal(sentence("execute_command", " (5)", 70, 7), "exec.. (5)");
});

test("a search looks at the name, and at the object before it", () => {
	equal([/^main$/, /^prog`/, /pro/, /^all/].map((wanted) => matches(main, wanted)), [true, true, true, false]);
});

test("what is above a found box is not counted again", () => {
	equal(share([], root), 0);
	equal(share([left, other], root), 0.4);
	equal(share([right, main, left], root), 0.8);
	equal(share([root, main], root), 1);
});

finish();
