// SPDX-License-Identifier: Apache-2.0
/* The data of heat maps, as src/view/write_heat_html.c writes them. */

import { visible } from "../common/text";
import { base64Bytes, VarintReader } from "../common/varint";
import { Profile, readProfile } from "../flame/data";

/* Bounds are inclusive; null: the row has none.  Texts are exact. */
export interface Row {
	low: number | null;
	high: number | null;
	lowText: string;
	highText: string;
}

export type Scale = "log" | "linear" | "offset";

/* Cells are columns of numbers, sorted by time. */
export interface HeatMap {
	name: string;
	valueUnit: string;
	countUnit: string;
	scale: Scale;
	start: number;		/* ms since 1970 */
	step: number;		/* ms */
	columns: number;
	firstRow: number;	/* of the aggregation's rows: those below are empty */
	rows: Row[];
	stacksIn: number;	/* the map that knows the stacks of this one's cells; -1: none */
	keyNames: string[];
	keys: string[];		/* of several words, with commas */
	column: Float64Array;
	row: Uint32Array;
	key: Uint32Array;
	count: Float64Array;
	stack: Uint32Array | null;	/* nodes of the stacks; null: they are not in this map */
}

/* Stacks of all maps, as a tree without weights. */
export type Stacks = Pick<Profile, "frames" | "tree">;

export interface Heat {
	title: string;
	subtitle: string;
	zone: string;
	zoneSeconds: number;
	notes: string[];
	stacks: Stacks | null;
	maps: HeatMap[];
}

type Json = Record<string, unknown>;

function damaged(what: string): never {
	throw new Error(`The data are damaged: ${what}.`);
}

function text(value: unknown): string {
	return typeof value === "string" ? visible(value) : damaged("a text is missing");
}

function number(value: unknown): number {
	return typeof value === "number" && Number.isFinite(value) ? value : damaged("a number is missing");
}

function list(value: unknown): unknown[] {
	return Array.isArray(value) ? value : damaged("a list is missing");
}

function bound(value: unknown): number | null {
	return value === null ? null : number(Number(text(value)));
}

function readRow(value: unknown): Row {
	const [low, high] = list(value);
	return { low: bound(low), high: bound(high), lowText: low === null ? "" : text(low), highText: high === null ? "" : text(high) };
}

/* nstacks: nodes to choose from; 0: cells have none */
function readCells(map: HeatMap, cells: string, nstacks: number): void {
	const reader = new VarintReader(base64Bytes(cells));
	const found: [number, number, number, number][] = [];
	const stacks: number[] = [];
	let column = 0;
	while (!reader.isAtEnd()) {
		column += reader.next();
		const row = reader.next(), key = reader.next(), count = reader.next();
		if (column >= map.columns || row >= map.rows.length || key >= Math.max(map.keys.length, 1))
			damaged("a cell is outside of the map");
		found.push([column, row, key, count % 2 ? -(count + 1) / 2 : count / 2]);
		if (nstacks && stacks.push(reader.next()) && stacks[stacks.length - 1] >= nstacks)
			damaged("a cell has an unknown stack");
	}
	map.column = Float64Array.from(found, (cell) => cell[0]);
	map.row = Uint32Array.from(found, (cell) => cell[1]);
	map.key = Uint32Array.from(found, (cell) => cell[2]);
	map.count = Float64Array.from(found, (cell) => cell[3]);
	map.stack = nstacks ? Uint32Array.from(stacks) : null;
}

function readMap(value: unknown, place: number, nmaps: number, stacks: Stacks | null): HeatMap {
	const json = value as Json;
	const scale = text(json.scale);
	const map: HeatMap = {
		name: text(json.name), valueUnit: text(json.valueUnit), countUnit: text(json.countUnit) || "events",
		scale: scale === "linear" || scale === "offset" ? scale : "log",
		start: number(json.start), step: number(json.step), columns: number(json.columns),
		firstRow: number(json.firstRow ?? 0), rows: list(json.rows).map(readRow),
		stacksIn: stacks ? number(json.stacksIn ?? -1) : -1,
		keyNames: list(json.keyNames).map(text),
		keys: list(json.keys).map((words) => list(words).map(text).join(", ")),
		column: new Float64Array(), row: new Uint32Array(), key: new Uint32Array(), count: new Float64Array(),
		stack: null,
	};
	if (map.stacksIn >= nmaps)
		damaged("stacks are in no map");
	readCells(map, text(json.cells), stacks && map.stacksIn === place ? stacks.tree.length : 0);
	return map;
}

export function readHeat(value: unknown): Heat {
	const json = value as Json;
	if (!json || json.format !== 1 || json.picture !== "heatmap")
		throw new Error("These are no data of a heat map that this page knows.");
	const stacks = json.stacks ? readProfile(json.stacks) : null, maps = list(json.maps);
	return {
		title: text(json.title), subtitle: text(json.subtitle), zone: text(json.zone), zoneSeconds: number(json.zoneSeconds),
		notes: list(json.notes).map(text), stacks, maps: maps.map((map, i) => readMap(map, i, maps.length, stacks)),
	};
}
