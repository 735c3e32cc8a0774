// SPDX-License-Identifier: Apache-2.0
import { equal, finish, test } from "../common/testing";
import { shown } from "../flame/sample";
import { profileOf } from "../heat/stacks";
import { areaOf, heatOf, mapOf, readArea, stacksOf, usedRows, valuesOf, windowOf, writeArea } from "./cells";
import { filled } from "./testdata";

const TIMES = { from: 0, to: 4000, step: 1000 };
const ALL = { only: new Set<number>(), without: new Set<number>() };
const instrument = filled();
const [histogram, scalar] = instrument.sets;

test("nodes come into preorder", () => {
	const { stacks, places } = stacksOf(instrument);
	equal(Array.from(places), [0, 1, 2, 3, 4]);
	equal(shown(stacks.frames, stacks.tree), ["main 0", "main;write 0", "main;read 0", "idle 0"]);
	instrument.apply({ id: 3, nodes: [[2, 3]], column: { t: 1000, set: 1, rows: [[0, 0, 4096]] } });
	equal(Array.from(stacksOf(instrument).places), [0, 1, 2, 4, 5, 3]);
});

test("a map has the rows that are used, and the columns of the window", () => {
	const map = mapOf(instrument, histogram, TIMES);
	equal(usedRows(histogram), [3, 4]);
	equal([map.firstRow, map.rows.map(({ low, high }) => [low, high]), map.columns], [3, [[2, 3], [4, 7]], 4]);
	equal([map.column, map.row, map.key, map.count].map((list) => Array.from(list)), [[1, 1, 1, 2], [0, 1, 0, 1], [0, 0, 1, 0], [5, 1, 2, 10]]);
	equal(Array.from(mapOf(instrument, histogram, { ...TIMES, from: 2000 }).count), [10]);
});

test("a flame graph of an area, and of the rest", () => {
	const map = mapOf(instrument, histogram, TIMES), heat = heatOf(instrument, map);
	const stacks = (area: Parameters<typeof profileOf>[2], isCompared: boolean): string[] => {
		const profile = profileOf(heat, map, area, ALL, isCompared)!;
		return shown(profile.frames, profile.tree);
	};
	equal(stacks(null, false), ["alpha 16", "alpha;main 16", "alpha;main;write 6", "alpha;main;read 10", "beta\\x1b 2", "beta\\x1b;idle 2"]);
	const area = { firstColumn: 2, lastColumn: 2, firstRow: 0, lastRow: 1 };
	equal(stacks(area, false), ["alpha 10", "alpha;main 10", "alpha;main;read 10"]);
	equal(stacks(area, true), ["alpha 6 10", "alpha;main 6 10", "alpha;main;write 6 0", "alpha;main;read 0 10", "beta\\x1b 2 0", "beta\\x1b;idle 2 0"]);
});

test("a set of plain numbers is a map of one row", () => {
	const map = mapOf(instrument, scalar, TIMES);
	equal([map.rows.length, Array.from(map.count), map.stacksIn], [1, [4096, 2 ** 53], -1]);
});

test("an area stays where it is while time goes on", () => {
	const map = mapOf(instrument, histogram, TIMES);
	const window = { firstColumn: 1, lastColumn: 2, firstRow: 0, lastRow: 1 };
	const area = areaOf(map, window);
	equal(area, { from: 1000, to: 3000, low: 3, high: 4 });
	equal(windowOf(map, area), window);
	equal(windowOf(mapOf(instrument, histogram, { from: 2000, to: 6000, step: 1000 }), area), { ...window, firstColumn: 0, lastColumn: 0 });
	equal(windowOf(mapOf(instrument, histogram, { from: 3000, to: 7000, step: 1000 }), area), null);
	equal(readArea(writeArea(area)), area);
	equal([readArea(""), readArea("1.2.3"), readArea("5.4.0.0"), readArea("1.2.x.4")], [null, null, null, null]);
	equal(valuesOf(histogram, area), { low: 2, high: 7 });
	equal(valuesOf(histogram, { ...area, low: 0, high: 5 }), { low: null, high: 2 ** 64 });
});

finish();
