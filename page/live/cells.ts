// SPDX-License-Identifier: Apache-2.0
/*
 * Columns of the store as a heat map (page/heat) of some minutes: the same data
 * that a file has, made anew when time goes on.
 *
 * Rows are those that any retained column has used, so that the axis does not
 * jump while time goes on.  A set without histograms is a map of one row: that
 * is all that a flame graph needs of it.
 */

import { makeFrames } from "../flame/data";
import { TreeBuilder } from "../flame/tree";
import { Heat, HeatMap, Row, Stacks } from "../heat/data";
import { Window } from "../heat/model";
import { columnsOf, Times } from "./clock";
import { Counted, Instrument, STRIDE } from "./store";
import { Bound } from "./types";
import { zoneName, zoneSeconds } from "./zone";

interface Grown {
	size: number;
	stacks: Stacks;
	places: Uint32Array;	/* of nodes in preorder */
}

const grown = new WeakMap<Instrument, Grown>();

/* Nodes in the order in which flame graphs want them: each after its parent, with all below it. */
export function stacksOf(instrument: Instrument): Grown {
	const { nodes, frames } = instrument, was = grown.get(instrument);
	if (was && was.size === nodes.length)
		return was;
	const children: number[][] = nodes.map(() => []);
	for (let i = 1; i < nodes.length; i++)
		children[nodes[i][0]].push(i);
	const builder = new TreeBuilder(nodes.length, false), places = new Uint32Array(nodes.length);
	const waiting = [...children[0]].reverse();
	for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
		const [parent, frame] = nodes[node];
		places[node] = builder.add(places[parent], frame);
		for (let i = children[node].length - 1; i >= 0; i--)
			waiting.push(children[node][i]);
	}
	const made: Grown = {
		size: nodes.length, places,
		stacks: {
			frames: makeFrames(frames.map(([name]) => name), frames.map(([, object]) => object), Uint8Array.from(frames, ([, , kind]) => kind)),
			tree: builder.finish(),
		},
	};
	grown.set(instrument, made);
	return made;
}

function asRow([low, high]: [Bound, Bound]): Row {
	const text = (bound: Bound): string => bound === null ? "" : String(bound);
	const number = (bound: Bound): number | null => bound === null ? null : Number(bound);
	return { low: number(low), high: number(high), lowText: text(low), highText: text(high) };
}

/* The rows to show, of all that are possible. */
export function usedRows(set: Counted): [number, number] {
	let low = Infinity, high = -1;
	for (const column of set.columns) {
		low = Math.min(low, column.low);
		high = Math.max(high, column.high);
	}
	const last = (set.info.rows?.length ?? 1) - 1;
	return high < 0 ? [0, Math.min(last, 3)] : [Math.max(0, Math.min(low, last)), Math.min(high, last)];
}

const ONE_ROW: Row = { low: null, high: null, lowText: "", highText: "" };

export function mapOf(instrument: Instrument, set: Counted, times: Times): HeatMap {
	const { info } = set, [firstRow, lastRow] = set.isHistogram ? usedRows(set) : [0, 0];
	const column: number[] = [], row: number[] = [], key: number[] = [], count: number[] = [], stack: number[] = [];
	const places = info.hasStacks ? stacksOf(instrument).places : null;
	for (const { t, cells } of set.between(times.from, times.to)) {
		const place = Math.floor((t - times.from) / times.step);
		for (let i = 0; i < cells.length; i += STRIDE) {
			const at = set.isHistogram ? cells[i + 2] - firstRow : 0;
			if (at < 0 || at > lastRow - firstRow)
				continue;
			column.push(place);
			row.push(at);
			key.push(cells[i]);
			count.push(set.isHistogram ? cells[i + 3] : cells[i + 2]);
			if (places)
				stack.push(places[cells[i + 1]]);
		}
	}
	return {
		name: info.name, valueUnit: info.unit, countUnit: "events",
		scale: info.function === "lquantize" ? "linear" : "log",
		start: times.from, step: times.step, columns: columnsOf(times), firstRow,
		rows: set.isHistogram ? (info.rows ?? []).slice(firstRow, lastRow + 1).map(asRow) : [ONE_ROW],
		stacksIn: places ? 0 : -1, keyNames: info.keyNames, keys: set.keys.map((words) => words.join(", ")),
		column: Float64Array.from(column), row: Uint32Array.from(row), key: Uint32Array.from(key), count: Float64Array.from(count),
		stack: places ? Uint32Array.from(stack) : null,
	};
}

/* One map in a file of its own, as the components of page/heat want it. */
export function heatOf(instrument: Instrument, map: HeatMap): Heat {
	return {
		title: instrument.info.title, subtitle: "", zone: zoneName(), zoneSeconds: zoneSeconds(), notes: [],
		stacks: map.stack ? stacksOf(instrument).stacks : null, maps: [map],
	};
}

/* ------------------------------------------------------------- selections */

/* A rectangle that stays where it is while time goes on: times, and rows of the set. */
export interface Area {
	from: number;
	to: number;	/* not included */
	low: number;
	high: number;
}

export function areaOf(map: HeatMap, window: Window): Area {
	return {
		from: map.start + window.firstColumn * map.step, to: map.start + (window.lastColumn + 1) * map.step,
		low: map.firstRow + window.firstRow, high: map.firstRow + window.lastRow,
	};
}

/* What of it is in the map; null: nothing. */
export function windowOf(map: HeatMap, area: Area): Window | null {
	const firstColumn = Math.max(0, Math.round((area.from - map.start) / map.step));
	const lastColumn = Math.min(map.columns, Math.round((area.to - map.start) / map.step)) - 1;
	const firstRow = Math.max(0, area.low - map.firstRow), lastRow = Math.min(map.rows.length - 1, area.high - map.firstRow);
	return firstColumn > lastColumn || firstRow > lastRow ? null : { firstColumn, lastColumn, firstRow, lastRow };
}

/* For the URL. */
export function writeArea({ from, to, low, high }: Area): string {
	return [from, to, low, high].join(".");
}

export function readArea(text: string): Area | null {
	const [from, to, low, high] = text.split(".").map(Number);
	const isGood = [from, to, low, high].every((number) => Number.isInteger(number) && number >= 0) && from < to && low <= high;
	return isGood ? { from, to, low, high } : null;
}

/* The values of an area: of the rows' bounds, the outer ones. */
export function valuesOf(set: Counted, area: Area): { low: number | null; high: number | null } {
	const rows = set.info.rows ?? [];
	return { low: asRow(rows[area.low] ?? [null, null]).low, high: asRow(rows[area.high] ?? [null, null]).high };
}
