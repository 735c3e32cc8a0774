// SPDX-License-Identifier: Apache-2.0
/*
 * What is shown of a map: the cells of the chosen keys in a window of columns
 * and rows, merged where there are more than fit.
 *
 * Shares are of the whole column, also of rows outside of the window.  Ranks
 * are among the cells in the window that are not empty.
 */

import { HeatMap, Row } from "./data";

/* A rectangle; inclusive, of the map's own columns and rows. */
export interface Window {
	firstColumn: number;
	lastColumn: number;
	firstRow: number;
	lastRow: number;
}

export type Quantity = "count" | "sum";

/* Which keys count: all, without some, or only some. */
export interface Choice {
	only: ReadonlySet<number>;
	without: ReadonlySet<number>;
}

export function isChosen(choice: Choice, key: number): boolean {
	return (!choice.only.size || choice.only.has(key)) && !choice.without.has(key);
}

export interface Picture {
	map: HeatMap;
	window: Window;
	columnWidth: number;	/* columns of the map in one of the picture */
	rowHeight: number;
	columns: number;
	rows: number;
	values: Float64Array;	/* [column * rows + row] */
	cells: Float64Array;	/* the same, counts whatever the quantity is */
	totals: Float64Array;	/* of columns, with rows outside of the window */
	below: Float64Array;	/* of rows below the window */
	sums: Float64Array;	/* of columns: counts times the middles of rows */
	counts: Float64Array;	/* of columns: counts */
}

export function isWithin(area: Window, column: number, row: number): boolean {
	return column >= area.firstColumn && column <= area.lastColumn && row >= area.firstRow && row <= area.lastRow;
}

export function wholeWindow(map: HeatMap): Window {
	return { firstColumn: 0, lastColumn: map.columns - 1, firstRow: 0, lastRow: map.rows.length - 1 };
}

/* The value that stands for a row: its middle, or its one bound. */
export function middle(row: Row): number {
	if (row.low === null)
		return row.high ?? 0;
	return row.high === null ? row.low : (row.low + row.high) / 2;
}

export function makePicture(map: HeatMap, window: Window, choice: Choice, quantity: Quantity,
	most: { columns: number; rows: number }): Picture {
	const spanColumns = window.lastColumn - window.firstColumn + 1, spanRows = window.lastRow - window.firstRow + 1;
	const columnWidth = Math.max(1, Math.ceil(spanColumns / most.columns)), rowHeight = Math.max(1, Math.ceil(spanRows / most.rows));
	const columns = Math.ceil(spanColumns / columnWidth), rows = Math.ceil(spanRows / rowHeight);
	const picture: Picture = {
		map, window, columnWidth, rowHeight, columns, rows, values: new Float64Array(columns * rows), cells: new Float64Array(columns * rows),
		totals: new Float64Array(columns), below: new Float64Array(columns),
		sums: new Float64Array(columns), counts: new Float64Array(columns),
	};
	const middles = map.rows.map(middle);
	const chosen = map.keys.length ? map.keys.map((_, key) => isChosen(choice, key)) : [true];
	for (let i = 0; i < map.count.length; i++) {
		const row = map.row[i];
		if (map.column[i] < window.firstColumn || map.column[i] > window.lastColumn || !chosen[map.key[i]])
			continue;
		const column = Math.floor((map.column[i] - window.firstColumn) / columnWidth);
		const value = quantity === "sum" ? map.count[i] * middles[row] : map.count[i];
		picture.totals[column] += value;
		picture.counts[column] += map.count[i];
		picture.sums[column] += map.count[i] * middles[row];
		if (row < window.firstRow) {
			picture.below[column] += value;
		} else if (row <= window.lastRow) {
			const cell = column * rows + Math.floor((row - window.firstRow) / rowHeight);
			picture.values[cell] += value;
			picture.cells[cell] += map.count[i];
		}
	}
	return picture;
}

/* ------------------------------------------------------------- one cell */

/* A row of the picture, with the bounds of all that it holds. */
export function rowAt(picture: Picture, row: number): Row {
	const first = picture.window.firstRow + row * picture.rowHeight;
	const last = Math.min(first + picture.rowHeight - 1, picture.window.lastRow);
	const { low, lowText } = picture.map.rows[first], { high, highText } = picture.map.rows[last];
	return { low, lowText, high, highText };
}

export function valueAt(picture: Picture, column: number, row: number): number {
	return picture.values[column * picture.rows + row] ?? 0;
}

/* Of the column's total: this cell, and all up to it. */
export function sharesAt(picture: Picture, column: number, row: number): { share: number; upTo: number } {
	const total = picture.totals[column];
	let sum = picture.below[column];
	for (let i = 0; i <= row; i++)
		sum += valueAt(picture, column, i);
	return total > 0 ? { share: valueAt(picture, column, row) / total, upTo: sum / total } : { share: 0, upTo: 0 };
}

/* Counts by key, in the whole map or in a rectangle. */
export function countKeys(map: HeatMap, area: Window = wholeWindow(map)): Map<number, number> {
	const counts = new Map<number, number>();
	for (let i = 0; i < map.count.length; i++)
		if (isWithin(area, map.column[i], map.row[i]))
			counts.set(map.key[i], (counts.get(map.key[i]) ?? 0) + map.count[i]);
	return counts;
}

/* -------------------------------------------------------------- colours */

export const COLOURINGS = ["rank", "linear", "log"] as const;
export type Colouring = typeof COLOURINGS[number];

/* For each cell a number from 0 to 1; NaN where nothing is. */
export function levels(picture: Picture, colouring: Colouring): Float64Array {
	const { values } = picture;
	const used = Array.from(values).filter((value) => value > 0).sort((a, b) => a - b);
	const most = used[used.length - 1];
	/* how many cells are smaller: each colour is used about as often, and equal values look alike */
	const smaller = new Map<number, number>();
	used.forEach((value, i) => { if (!smaller.has(value)) smaller.set(value, i); });
	const highest = smaller.get(most) ?? 0;
	return values.map((value) => {
		if (!(value > 0))
			return value ? 0 : NaN;
		if (colouring === "rank")
			return highest ? (smaller.get(value) ?? 0) / highest : 1;
		return colouring === "linear" ? value / most : Math.log1p(value) / Math.log1p(most);
	});
}

/* ---------------------------------------------------------------- lines */

/* The row of each column in which so much of its counts is reached; -1: none. */
export function percentileRows(picture: Picture, share: number): Int32Array {
	return Int32Array.from({ length: picture.columns }, (_, column) => {
		const wanted = picture.totals[column] * share;
		let sum = picture.below[column];
		if (!(picture.totals[column] > 0) || sum >= wanted)
			return -1;
		for (let row = 0; row < picture.rows; row++) {
			sum += valueAt(picture, column, row);
			if (sum >= wanted && sum > 0)
				return row;
		}
		return -1;
	});
}

/* Averages, as exact as the middles of rows are; NaN: nothing was counted. */
export function averages(picture: Picture): Float64Array {
	return picture.sums.map((sum, column) => picture.counts[column] > 0 ? sum / picture.counts[column] : NaN);
}

/* ----------------------------------------------------------------- axes */

export const HEIGHTS = ["rows", "linear", "log"] as const;
export type Height = typeof HEIGHTS[number];

function logarithm(value: number): number {
	return Math.sign(value) * Math.log2(1 + Math.abs(value));
}

/*
 * Where rows begin, from 0 (the bottom) to 1, and one more for the top.  A row
 * without a bound, and one that would be too thin to see, is as high as a
 * hundredth of all.
 */
export function rowEdges(picture: Picture, height: Height): Float64Array {
	const sizes = Array.from({ length: picture.rows }, (_, i) => {
		const { low, high } = rowAt(picture, i);
		if (height === "rows")
			return 1;
		if (low === null || high === null)
			return 0;
		return height === "linear" ? high - low + 1 : logarithm(high + 1) - logarithm(low);
	});
	const least = sizes.reduce((a, b) => a + b, 0) / 100 || 1;
	const edges = new Float64Array(picture.rows + 1);
	sizes.forEach((size, i) => edges[i + 1] = edges[i] + Math.max(size, least));
	return edges.map((edge) => edge / edges[picture.rows]);
}

/* Where a value is, from 0 to 1; NaN: outside. */
export function placeOf(picture: Picture, edges: Float64Array, value: number): number {
	for (let i = 0; i < picture.rows; i++) {
		const { low, high } = rowAt(picture, i);
		if ((low === null || value >= low) && (high === null || value < high + 1)) {
			const part = low === null || high === null ? 0.5 : (value - low) / (high + 1 - low);
			return edges[i] + (edges[i + 1] - edges[i]) * part;
		}
	}
	return NaN;
}
