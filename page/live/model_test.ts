// SPDX-License-Identifier: Apache-2.0
import { equal, finish, isTrue, test } from "../common/testing";
import { timeTicks } from "../heat/axis";
import { valueTicks } from "./axis";
import { columnsOf, earliest, movedTo, stepped, timesOf } from "./clock";
import { marked, piecesOf, placeOfByte, spanOf } from "./highlight";
import { largest, seriesOf } from "./series";
import { Counted, flatten } from "./store";
import { HISTOGRAM, SCALAR } from "./testdata";
import { family, lanes, livesOf } from "./timeline";
import { Line, SetInfo } from "./types";
import { utilizationOf } from "./utilization";

const TIMES = { from: 0, to: 3000, step: 1000 };

function counted(info: SetInfo, keys: string[], columns: [number, number[][]][]): Counted {
	const set = new Counted(info);
	set.keys.push(...keys.map((key) => [key]));
	for (const [t, rows] of columns)
		set.put(flatten({ t, set: info.set, rows }, set.isHistogram));
	return set;
}

/* ------------------------------------------------------------------ axes */

test("values of an axis are round", () => {
	equal(valueTicks(93, ""), [0, 50, 100]);
	equal(valueTicks(100, ""), [0, 50, 100]);
	equal(valueTicks(0.9, "", 3), [0, 0.5, 1]);
	equal(valueTicks(7000, "bytes"), [0, 2048, 4096, 6144, 8192]);
	equal(valueTicks(0, ""), [0, 1]);
	for (const most of [1, 3, 17, 1e9, 123456789, 2 ** 60])
		for (const unit of ["", "bytes", "ns"])
			isTrue(valueTicks(most, unit).length <= 6 && valueTicks(most, unit).slice(-1)[0] >= most, `${most} ${unit}`);
});

test("times of an axis are round where the reader is", () => {
	equal(timeTicks(1000, 61000, 4, 0), [15000, 30000, 45000, 60000]);
	equal(timeTicks(0, 3600000, 2, 1800), [0, 1800000, 3600000]);
	equal(timeTicks(0, 2000, 10, 0, 250), [0, 500, 1000, 1500, 2000]);
	equal(timeTicks(0, 2000, 10, 0, 1000), [0, 1000, 2000]);
	equal(timeTicks(0, 40 * 86400000, 4, 0), [0, 10, 20, 30, 40].map((days) => days * 86400000));
	isTrue(timeTicks(0, 1e300, 4, 0).length <= 5, "hostile times");
	equal(timeTicks(NaN, NaN, 4, 0), []);
});

/* ----------------------------------------------------------------- clock */

test("one clock: the present, the past, and no further than is kept", () => {
	const present = { now: 1000500, interval: 1000, retention: 600000 };
	equal(timesOf(present, 60, 0), { from: 940000, to: 1000000, step: 1000 });
	equal(timesOf(present, 60, 700123), { from: 640000, to: 700000, step: 1000 });
	equal(columnsOf(timesOf(present, 120, 0)), 120);
	equal(stepped(present, 60, 0, -1), 970000);
	equal(stepped(present, 60, 970000, 1), 0);
	equal(movedTo(present, 60, 5), earliest(present, 60));
	equal(earliest(present, 60), 460000);
	equal(earliest(present, 600), 1000000);
});

/* ---------------------------------------------------------------- series */

test("sums are 0 where nothing was counted, others are not there", () => {
	const columns: [number, number[][]][] = [[0, [[0, 0, 4], [1, 0, 9]]], [2000, [[0, 0, 1]]]];
	equal(seriesOf(counted(SCALAR, ["a", "b"], columns), TIMES).map(({ name, values, total }) => [name, Array.from(values), total]),
		[["b", [9, 0, 0], 9], ["a", [4, 0, 1], 5]]);
	equal(Array.from(seriesOf(counted(SCALAR, ["a"], [[2000, [[0, 0, 4]]]]), { ...TIMES, to: 9000 })[0].values), [NaN, NaN, 4, 0, 0, 0, 0, NaN, NaN]);
	equal(Array.from(seriesOf(counted({ ...SCALAR, function: "max" }, ["a", "b"], columns), TIMES)[1].values), [4, NaN, 1]);
});

test("an average is a sum by a count, a histogram counts", () => {
	const average = counted({ ...SCALAR, function: "avg" }, ["a"], [[0, [[0, 0, 4, 12], [0, 1, 1, 3]]]]);
	equal(seriesOf(average, TIMES)[0].last, 3);
	const histogram = counted(HISTOGRAM, ["a"], [[0, [[0, 0, 2, 5, 3, 6]]], [1000, [[0, 0, 2, 1]]], [2000, []]]);
	equal(Array.from(seriesOf(histogram, TIMES)[0].values), [11, 1, 0]);
});

test("many keys become a few lines and the rest", () => {
	const many = seriesOf(counted(SCALAR, ["a", "b", "c", "d"], [[0, [[0, 0, 4], [1, 0, 3], [2, 0, 2], [3, 0, 1]]]]), TIMES);
	equal(largest(many, 3, true).map(({ name, total }) => [name, total]), [["a", 4], ["b", 3], ["2 others", 3]]);
	equal(largest(many, 2, false).map(({ name }) => name), ["a", "b"]);
	equal(largest(many, 4, true).length, 4);
});

test("utilization: numbers in the order of numbers, shares of full", () => {
	const set = counted(SCALAR, ["cpu10", "cpu2"], [[0, [[0, 0, 500], [1, 0, 250]]], [2000, []]]);
	const { rows, isGuessed } = utilizationOf(set, TIMES, 1000);
	equal(rows.map(({ name, shares }) => [name, Array.from(shares)]), [["cpu2", [0.25, 0, 0]], ["cpu10", [0.5, 0, 0]]]);
	equal([isGuessed, utilizationOf(set, TIMES, null).full], [false, 500]);
});

/* -------------------------------------------------------------- timeline */

function line(t: number, ...values: (string | number)[]): Line {
	return { t, cpu: 0, probe: "", text: "", values };
}

test("lives begin, get a name, end; a number is used again", () => {
	const lives = livesOf([line(1, "fork", 10, 1, "sh"), line(2, "exec", 10, 1, "ls"), line(3, "exit", 10, 1, "ls"),
		line(4, "exit", 5, 1, "old"), line(5, "fork", 10, 1, "sh"), { t: 6, cpu: 0, probe: "", text: "other" }]);
	equal(lives.map(({ pid, name, begin, end }) => [pid, name, begin, end]), [[10, "ls", 1, 3], [5, "old", null, 4], [10, "sh", 5, null]]);
	equal(lives[0].names, ["sh", "ls"]);
});

test("families: parents first, depth, only what is in the window", () => {
	const lives = livesOf([line(1, "fork", 10, 1, "make"), line(2, "fork", 11, 10, "cc"), line(3, "fork", 12, 11, "as"), line(2.5, "fork", 20, 1, "sh"),
		line(4, "exit", 12, 11, "as"), line(5, "exit", 11, 10, "cc")]);
	equal(family(lives, 0, 10).map(({ name, depth }) => [name, depth]), [["make", 0], ["cc", 1], ["as", 2], ["sh", 0]]);
	equal(family(lives, 4.5, 10).map(({ name, depth }) => [name, depth]), [["make", 0], ["cc", 1], ["sh", 0]]);
	equal(family(livesOf([line(1, "fork", 5, 5, "self")]), 0, 2).length, 1);
});

test("rows are used again after a life, and its name", () => {
	const lives = livesOf([line(1, "fork", 1, 0, "a"), line(2, "exit", 1, 0, "a"), line(3, "fork", 2, 0, "b"), line(4, "exit", 2, 0, "b"),
		line(9, "fork", 3, 0, "c"), line(0, "exit", 4, 0, "old")]);
	equal(lanes(lives, 1), { rows: [0, 0, 0, 0], count: 1 });
	equal(lanes(lives, 5), { rows: [1, 2, 0, 0], count: 3 });
});

/* ------------------------------------------------------------- highlight */

test("D is cut into pieces that make it up again", () => {
	const text = 'fbt::vfs_*:entry /pid == $target/ { @a["x\\"y"] = quantize(0x1f); /* note */ self->t = timestamp; }';
	const pieces = piecesOf(text);
	equal(pieces.map((piece) => piece.text).join(""), text);
	const kinds = (kind: string): string[] => pieces.filter((piece) => piece.kind === kind).map((piece) => piece.text);
	equal([kinds("probe"), kinds("string"), kinds("comment"), kinds("aggregation")], [["fbt::vfs_*:entry"], ['"x\\"y"'], ["/* note */"], ["@a"]]);
	equal([kinds("macro"), kinds("keyword"), kinds("variable"), kinds("number")], [["$target"], ["self"], ["pid", "timestamp"], ["0x1f"]]);
	for (const odd of ['"', "/*", "'", "@", "\u{1f600} é", ""])
		equal(piecesOf(odd).map((piece) => piece.text).join(""), odd);
});

test("complaints are about bytes", () => {
	const complaint = (place: object): Parameters<typeof spanOf>[1] => ({ tag: "", message: "", line: 1, column: 0, length: 1, ...place });
	equal(spanOf("BEGIN { foo }", complaint({ column: 8, length: 3 })), { start: 8, end: 11 });
	equal(spanOf("é { foo }\nx", complaint({ column: 5, length: 3 })), { start: 4, end: 7 });
	equal(spanOf("a\nbcd", complaint({ line: 2, column: 1, length: 9 })), { start: 3, end: 5 });
	equal(spanOf("abc", complaint({ column: 3, length: 0 })), { start: 2, end: 3 });
	equal(spanOf("", complaint({ line: 7, column: 3 })), { start: 0, end: 1 });
	equal(placeOfByte("\u{1f600}b", 4), 2);
});

test("pieces are cut where a complaint begins and ends", () => {
	const cut = marked(piecesOf("foo(bar)"), [{ start: 4, end: 7 }]);
	equal(cut.map(({ text, isMarked }) => [text, isMarked]), [["foo(", false], ["bar", true], [")", false]]);
});

finish();
