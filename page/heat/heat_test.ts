// SPDX-License-Identifier: Apache-2.0
import { equal, finish, isTrue, test, throws } from "../common/testing";
import { contrast } from "../common/colour";
import { HeatMap, readHeat } from "./data";
import { axisTicks } from "./axis";
import { averages, Choice, countKeys, levels, makePicture, percentileRows, placeOf, rowAt, rowEdges, sharesAt, valueAt, wholeWindow } from "./model";
import { colourOf, HUES, highlighted, PALETTES } from "./palette";
import { orderedKeys } from "./keys";
import { areaOf, cornersOf, readArea, writeArea } from "./selection";
import { profileOf } from "./stacks";
import { shown } from "../flame/sample";
import { INITIAL, readKeys, sane, toggled, windowOf, withoutZoom } from "./state";
import { cellWords, clock, range } from "./words";

declare const Buffer: { from(bytes: number[]): { toString(form: string): string } };

/* column delta, row, key, count */
function cells(...numbers: [number, number, number, number][]): string {
	const bytes = numbers.map(([column, row, key, count]) => [column, row, key, count < 0 ? -2 * count - 1 : 2 * count]).reduce((a, b) => [...a, ...b], [] as number[]);
	return Buffer.from(bytes).toString("base64");
}

function data(map: object = {}): unknown {
	return {
		format: 1, picture: "heatmap", title: "T", subtitle: "S", zone: "CET", zoneSeconds: 3600, notes: ["2 drops"],
		maps: [{
			name: "@", valueUnit: "ns", countUnit: "", scale: "log", start: 0, step: 1000, columns: 4,
			rows: [["1", "1"], ["2", "3"], ["4", "7"], ["8", null]], keyNames: ["execname"], keys: [["a"], ["b\u001b"], ["c"]],
			cells: cells([0, 0, 0, 3], [0, 1, 1, 1], [1, 1, 0, 2], [0, 2, 1, 5], [0, 3, 2, 1], [2, 2, 2, 10]),
			...map,
		}],
	};
}

const heat = readHeat(data());
const map: HeatMap = heat.maps[0];
const ALL: Choice = { only: new Set(), without: new Set() };
const LARGE = { columns: 100, rows: 100 };

function numbers(list: ArrayLike<number>): number[] {
	return Array.from(list);
}

test("data are read as C wrote them", () => {
	equal(numbers(map.column), [0, 0, 1, 1, 1, 3]);
	equal(numbers(map.count), [3, 1, 2, 5, 1, 10]);
	equal(map.keys, ["a", "b\\x1b", "c"]);
	equal(map.rows[3], { low: 8, high: null, lowText: "8", highText: "" });
	equal(map.countUnit, "events");
	equal(numbers(readHeat(data({ cells: cells([0, 0, 0, -4]) })).maps[0].count), [-4]);
});

test("damaged data are refused", () => {
	throws(() => readHeat(null));
	throws(() => readHeat({ format: 2, picture: "heatmap" }));
	throws(() => readHeat(data({ cells: cells([4, 0, 0, 1]) })));
	throws(() => readHeat(data({ cells: cells([0, 4, 0, 1]) })));
	throws(() => readHeat(data({ cells: cells([0, 0, 3, 1]) })));
	throws(() => readHeat(data({ cells: "!!!!" })));
	throws(() => readHeat(data({ rows: [["x", "1"]] })));
});

test("a picture has every count, by column and row", () => {
	const picture = makePicture(map, wholeWindow(map), ALL, "count", LARGE);
	equal([picture.columns, picture.rows], [4, 4]);
	equal(numbers(picture.values), [3, 1, 0, 0, 0, 2, 5, 1, 0, 0, 0, 0, 0, 0, 10, 0]);
	equal(numbers(picture.totals), [4, 8, 0, 10]);
});

test("columns and rows merge when there are too many", () => {
	const picture = makePicture(map, wholeWindow(map), ALL, "count", { columns: 2, rows: 2 });
	equal(numbers(picture.values), [6, 6, 0, 10]);
	equal(rowAt(picture, 0), { low: 1, lowText: "1", high: 3, highText: "3" });
	equal(rowAt(picture, 1), { low: 4, lowText: "4", high: null, highText: "" });
});

test("keys are isolated and excluded", () => {
	const only = makePicture(map, wholeWindow(map), { only: new Set([1]), without: new Set() }, "count", LARGE);
	equal(numbers(only.totals), [1, 5, 0, 0]);
	const without = makePicture(map, wholeWindow(map), { only: new Set(), without: new Set([1]) }, "count", LARGE);
	equal(numbers(without.totals), [3, 3, 0, 10]);
	const none = makePicture(map, wholeWindow(map), { only: new Set([1]), without: new Set([1]) }, "count", LARGE);
	equal(numbers(none.totals), [0, 0, 0, 0]);
});

test("shares are of the whole column, also when zoomed", () => {
	const picture = makePicture(map, wholeWindow(map), ALL, "count", LARGE);
	equal(sharesAt(picture, 1, 2), { share: 5 / 8, upTo: 7 / 8 });
	equal(sharesAt(picture, 2, 2), { share: 0, upTo: 0 });
	const zoomed = makePicture(map, { firstColumn: 1, lastColumn: 1, firstRow: 2, lastRow: 3 }, ALL, "count", LARGE);
	equal(valueAt(zoomed, 0, 0), 5);
	equal(sharesAt(zoomed, 0, 0), { share: 5 / 8, upTo: 7 / 8 });
	equal(sharesAt(zoomed, 0, 1).upTo, 1);
});

test("ranks, linear and logarithmic levels", () => {
	const picture = makePicture(map, wholeWindow(map), ALL, "count", LARGE);
	/* 1 1 2 3 5 10: how many are smaller, of five */
	equal(numbers(levels(picture, "rank")).filter((level) => !Number.isNaN(level)), [0.6, 0, 0.4, 0.8, 0, 1]);
	equal(levels(picture, "linear")[0], 0.3);
	equal(levels(picture, "log")[14], 1);
	isTrue(Number.isNaN(levels(picture, "log")[2]), "an empty cell has no colour");
	const one = makePicture(map, { ...wholeWindow(map), firstColumn: 3 }, ALL, "count", LARGE);
	equal(levels(one, "rank")[2], 1);
});

test("sums of values count the middle of a row", () => {
	const picture = makePicture(map, wholeWindow(map), ALL, "sum", LARGE);
	equal(numbers(picture.values.slice(0, 2)), [3, 2.5]);
	equal(averages(picture)[0], 5.5 / 4);
	isTrue(Number.isNaN(averages(picture)[2]), "nothing was counted");
});

test("percentiles are rows, none where nothing is", () => {
	const picture = makePicture(map, wholeWindow(map), ALL, "count", LARGE);
	equal(numbers(percentileRows(picture, 0.5)), [0, 2, -1, 2]);
	equal(numbers(percentileRows(picture, 0.99)), [1, 3, -1, 2]);
});

test("rows are as high as their values, or all alike", () => {
	const picture = makePicture(map, wholeWindow(map), ALL, "count", LARGE);
	equal(numbers(rowEdges(picture, "rows")), [0, 0.25, 0.5, 0.75, 1]);
	const linear = rowEdges(picture, "linear");
	isTrue(Math.abs((linear[2] - linear[1]) / (linear[1] - linear[0]) - 2) < 1e-9, "twice as high");
	isTrue(linear[4] - linear[3] > 0, "an open row can be seen");
	equal(placeOf(picture, rowEdges(picture, "rows"), 6), 0.625);
	isTrue(Number.isNaN(placeOf(picture, rowEdges(picture, "rows"), 0.5)), "outside");
});

/* what an axis of so many pixels says, from the bottom, and where it does */
function axisOf(rows: [number | null, number | null][], valueUnit: string, scale: HeatMap["scale"], pixels: number, height: "rows" | "linear" | "log" = "rows"): [string[], number[]] {
	const said = (bound: number | null): string => bound === null ? "" : String(bound);
	const some: HeatMap = { ...map, valueUnit, scale, rows: rows.map(([low, high]) => ({ low, high, lowText: said(low), highText: said(high) })) };
	const picture = makePicture(some, wholeWindow(some), ALL, "count", LARGE);
	const ticks = axisTicks(picture, rowEdges(picture, height), height, pixels);
	return [ticks.map(({ text }) => text), ticks.map(({ place }) => Math.round(place * 1000) / 1000)];
}

function powersOfTwo(from: number, to: number): [number, number][] {
	return Array.from({ length: to - from }, (_, i) => [2 ** (from + i), 2 ** (from + i + 1) - 1]);
}

test("an axis says round values, as many as there is room for", () => {
	const times = powersOfTwo(10, 30);
	equal(axisOf(times, "ns", "log", 200)[0], ["10 µs", "100 µs", "1 ms", "10 ms", "100 ms", "1 s"]);
	equal(axisOf(times, "ns", "log", 60)[0], ["1 ms", "1 s"]);
	equal(axisOf(times, "ns", "log", 1000)[0].slice(0, 5), ["2 µs", "5 µs", "10 µs", "20 µs", "50 µs"]);
	/* 1 ms is in the row of 524288 to 1048575, near its end */
	equal(axisOf(times, "ns", "log", 200)[1][2], 0.495);
	equal(axisOf(powersOfTwo(30, 43), "ns", "log", 200)[0], ["10 s", "1 min", "10 min", "100 min"]);
	equal(axisOf(powersOfTwo(0, 24), "bytes", "log", 200)[0], ["1 bytes", "32 bytes", "1 KiB", "32 KiB", "1 MiB"]);
	equal(axisOf(powersOfTwo(0, 4), "", "log", 200)[0], ["1", "2", "5", "10"]);
	equal(axisOf([[-8, -5], [-4, -3], [-2, -2], [-1, -1], [0, 0], [1, 1], [2, 3], [4, 7]], "", "log", 400)[0], ["-5", "-2", "-1", "0", "1", "2", "5"]);
	equal(axisOf(powersOfTwo(30, 33), "", "log", 100)[0], ["2e9", "5e9"]);
});

test("an axis of equal steps says equal steps", () => {
	const percents: [number | null, number | null][] = Array.from({ length: 10 }, (_, i) => [10 * i, 10 * i + 9]);
	equal(axisOf(percents, "%", "linear", 200)[0], ["0 %", "10 %", "20 %", "30 %", "40 %", "50 %", "60 %", "70 %", "80 %", "90 %", "100 %"]);
	equal(axisOf(percents, "%", "linear", 60)[0], ["0 %", "50 %", "100 %"]);
	equal(axisOf(percents, "%", "linear", 60)[1], [0, 0.5, 1]);
	equal(axisOf([...percents, [100, null]], "%", "linear", 220)[0].slice(-3), ["80 %", "90 %", "≥ 100 %"]);
	equal(axisOf(powersOfTwo(0, 27), "ns", "log", 160, "linear")[0], ["20 ms", "40 ms", "60 ms", "80 ms", "100 ms", "120 ms"]);
});

test("an axis without room for two round values says where rows begin", () => {
	equal(axisOf([[512, 1023]], "ns", "log", 200)[0], ["512 ns"]);
	equal(axisOf([[null, -1], [0, null]], "ns", "linear", 200)[0], ["≤ -1 ns", "≥ 0 ns"]);
	equal(axisOf([[7, 7], [8, 8]], "", "log", 12)[0], ["7"]);
});

test("keys of a cell", () => {
	const picture = makePicture(map, wholeWindow(map), ALL, "count", LARGE);
	equal([...countKeys(map, areaOf(picture, { column: 1, row: 2 }))], [[1, 5]]);
	equal([...countKeys(map)], [[0, 5], [1, 6], [2, 11]]);
	equal(orderedKeys(map.keys, countKeys(map), new Map(), ""), [2, 1, 0]);
	equal(orderedKeys(map.keys, countKeys(map), new Map([[0, 1]]), ""), [0, 2, 1]);
	equal(orderedKeys(map.keys, countKeys(map), new Map(), "B"), [1]);
});

test("words are exact", () => {
	const picture = makePicture(map, wholeWindow(map), ALL, "count", LARGE);
	equal(cellWords(heat, picture, 1, 2, "count"), ["01:00:01 to 01:00:02 CET", "4 to 7 ns", "5 events", "62.50% of the column", "87.50% up to here"]);
	equal(range(map, { low: null, high: -1, lowText: "", highText: "-1" }), "up to -1 ns");
	equal(range(map, map.rows[3]), "8 ns and more");
	equal(range(map, map.rows[0]), "1 ns");
	const large = { low: 17179869184, lowText: "17179869184", high: 34359738367, highText: "34359738367" };
	equal(range(map, large), "17179869184 to 34359738367 ns (17.2 s to 34.4 s)");
	equal(range({ ...map, valueUnit: "" }, large), "17179869184 to 34359738367");
	equal(range(map, { ...large, high: null, highText: "" }), "17179869184 ns and more (17.2 s)");
	equal(clock(heat, { ...map, step: 250 }, 1), "01:00:00.250");
	equal(clock(heat, { ...map, step: 3600000 }, 1), "01-01 02:00");
	equal(clock(heat, { ...map, start: 1e18 }, 1), "?");
});

test("a link may say anything", () => {
	const state = sane({ ...INITIAL, map: 7, from: 99, to: -5, low: -3, high: 77, column: 1e9, row: 1, colour: "x" as never }, heat);
	equal([state.map, state.from, state.to, state.low, state.high, state.column, state.colour], [0, 3, -1, 0, 3, 3, "rank"]);
	equal(windowOf(sane({ ...INITIAL, from: 2, to: 1 }, heat), map), { firstColumn: 2, lastColumn: 2, firstRow: 0, lastRow: 3 });
	equal(readKeys("1.x.-2.3"), [1, 3]);
	equal(toggled(toggled("1", 2), 1), "2");
});

test("a selection is a part of the map, wherever the window is", () => {
	const zoomed = makePicture(map, { firstColumn: 1, lastColumn: 3, firstRow: 1, lastRow: 3 }, ALL, "count", { columns: 2, rows: 2 });
	const area = areaOf(zoomed, { column: 1, row: 0 }, { column: 0, row: 1 });
	equal(area, { firstColumn: 1, lastColumn: 3, firstRow: 1, lastRow: 3 });
	equal(areaOf(zoomed, { column: 1, row: 1 }), { firstColumn: 3, lastColumn: 3, firstRow: 3, lastRow: 3 });
	equal(cornersOf(zoomed, { firstColumn: 0, lastColumn: 2, firstRow: 0, lastRow: 1 }), [{ column: 0, row: 0 }, { column: 0, row: 0 }]);
	equal(cornersOf(zoomed, { firstColumn: 0, lastColumn: 0, firstRow: 0, lastRow: 3 }), null);
	equal(readArea(writeArea(area), map), area);
	for (const nonsense of ["", "1.2", "2.1.0.0", "0.4.0.0", "0.0.0.9", "-1.0.0.0", "0.0.0.x", "0.0.0.0.0"])
		equal(readArea(nonsense, map), null);
});

/* a: main>read, main>write; b: main>read; the first map has no stacks, but one like it has */
const stacks = {
	format: 1, strings: ["main", "read", "write"],
	frames: Buffer.from([0, 0, 1, 1, 0, 1, 2, 0, 1]).toString("base64"),
	nodes: Buffer.from([0, 2, 5, 1, 0]).toString("base64"),
};
const stacked = readHeat({
	...data() as object, stacks,
	maps: [
		{ ...(data({ stacksIn: 1, keys: [["b"], ["a"]], cells: cells([0, 0, 0, 1], [0, 1, 1, 7]) }) as { maps: object[] }).maps[0] },
		{ ...(data({ stacksIn: 1, keys: [["a"], ["b"]], start: -1000, firstRow: 1, rows: [["2", "3"], ["4", "7"]], columns: 5,
			cells: Buffer.from([1, 0, 0, 6, 2, 0, 0, 0, 8, 3, 1, 0, 1, 4, 2, 0, 1, 0, 2, 0]).toString("base64") }) as { maps: object[] }).maps[0] },
	],
});

test("stacks of cells are a profile, by key, of another map if need be", () => {
	const [first, second] = stacked.maps;
	equal([numbers(second.stack ?? []), first.stack], [[2, 3, 2, 0], null]);
	const of = (area: Parameters<typeof profileOf>[2], choice: Choice, isCompared: boolean): string[] => {
		const profile = profileOf(stacked, first, area, choice, isCompared)!;
		return [...shown(profile.frames, profile.tree), String(profile.tree.total[0])];
	};
	equal(of(null, ALL, false), ["a 8", "a;main 7", "a;main;read 3", "a;main;write 4", "b 2", "b;main 2", "b;main;read 2", "10"]);
	/* column 0 of the first map is column 1 of the second, row 1 its row 0 */
	const area = { firstColumn: 0, lastColumn: 0, firstRow: 1, lastRow: 1 };
	equal(of(area, ALL, false), ["a 7", "a;main 7", "a;main;read 3", "a;main;write 4", "7"]);
	equal(of(area, { only: new Set([0]), without: new Set() }, false), ["0"]);
	equal(of(null, { only: new Set(), without: new Set([1]) }, false), ["b 2", "b;main 2", "b;main;read 2", "2"]);
	equal(of(area, ALL, true), ["a 1 7", "a;main 0 7", "a;main;read 0 3", "a;main;write 0 4", "b 2 0", "b;main 2 0", "b;main;read 2 0", "7"]);
	equal(profileOf(heat, map, null, ALL, false), null);
	throws(() => readHeat({ ...data() as object, stacks, maps: [{ ...(data({ stacksIn: 0 }) as { maps: object[] }).maps[0] }] }));
	throws(() => readHeat({ ...data() as object, stacks, maps: [{ ...(data({ stacksIn: 7 }) as { maps: object[] }).maps[0] }] }));
});

test("sums say how exact they are", () => {
	const picture = makePicture(map, wholeWindow(map), ALL, "sum", LARGE);
	equal(cellWords(heat, picture, 0, 0, "sum").slice(1, 4), ["1 ns", "3 ns in all", "3 events"]);
	equal(cellWords(heat, picture, 1, 2, "sum")[2], "about 28 ns in all (20 ns to 35 ns)");
	equal(cellWords(heat, picture, 1, 3, "sum")[2], "about 8 ns in all (at least 8 ns)");
});

test("the state of a flame graph survives another selection, but not its zoom", () => {
	equal(withoutZoom("zoom=3&search=row&colour=module", false), "search=row&colour=module");
	equal(withoutZoom("zoom=3&search=row&colour=module&scale=false", true), "search=row");
});

test("palettes get darker on light paper, and lighter on dark", () => {
	for (const palette of PALETTES)
		for (let i = 1; i < 10; i++) {
			const white = [255, 255, 255] as const, black = [0, 0, 0] as const;
			isTrue(contrast(colourOf(palette, i / 10, false), white) > contrast(colourOf(palette, (i - 1) / 10, false), white), palette);
			isTrue(contrast(colourOf(palette, i / 10, true), black) > contrast(colourOf(palette, (i - 1) / 10, true), black), palette);
		}
	equal(highlighted([1], 1, false), HUES[0]);
	equal(highlighted([0, 1], 1, false), HUES[1]);
});

finish();
