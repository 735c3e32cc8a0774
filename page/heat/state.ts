// SPDX-License-Identifier: Apache-2.0
/* What a user has chosen; all of it is in the URL (common/fragment.ts). */

import { Heat, HeatMap } from "./data";
import { Choice, Colouring, COLOURINGS, Height, HEIGHTS, Quantity, wholeWindow, Window } from "./model";
import { Palette, PALETTES } from "./palette";

export const QUANTITIES = ["count", "sum"] as const;
/* The flame graph: none, of the selection, or that against the rest. */
export const STACKS = ["none", "selection", "difference"] as const;
export const THEMES = ["auto", "light", "dark"] as const;

export interface State {
	map: number;
	colour: Colouring;
	quantity: Quantity;
	palette: Palette;
	theme: typeof THEMES[number];
	height: Height;
	p50: boolean;
	p90: boolean;
	p99: boolean;
	average: boolean;
	from: number;		/* columns and rows of the window; to, high: -1 is the last */
	to: number;
	low: number;
	high: number;
	column: number;		/* the cell at hand; -1: none */
	row: number;
	area: string;		/* the rectangle that is selected (selection.ts) */
	stacks: typeof STACKS[number];
	flame: string;		/* the state of the flame graph, as it writes it */
	only: string;		/* numbers of keys, with dots */
	without: string;
	hue: string;
	filter: string;
}

export const INITIAL: State = {
	map: 0, colour: "rank", quantity: "count", palette: "viridis", theme: "auto", height: "rows",
	p50: true, p90: false, p99: true, average: false,
	from: 0, to: -1, low: 0, high: -1, column: -1, row: -1, area: "", stacks: "none", flame: "", only: "", without: "", hue: "", filter: "",
};

export function readKeys(text: string): number[] {
	return text ? text.split(".").map(Number).filter((key) => Number.isInteger(key) && key >= 0) : [];
}

/* Adds the key, or takes it out. */
export function toggled(text: string, key: number): string {
	const keys = readKeys(text);
	return (keys.includes(key) ? keys.filter((other) => other !== key) : [...keys, key]).join(".");
}

/* The state of a flame graph for other stacks; a difference has choices of its own. */
export function withoutZoom(flame: string, isOtherKind: boolean): string {
	const parts = new URLSearchParams(flame);
	for (const name of ["zoom", "callerZoom", ...(isOtherKind ? ["colour", "basis", "width", "scale"] : [])])
		parts.delete(name);
	return parts.toString();
}

export function choiceOf(state: State): Choice {
	return { only: new Set(readKeys(state.only)), without: new Set(readKeys(state.without)) };
}

export function windowOf(state: State, map: HeatMap): Window {
	const whole = wholeWindow(map);
	return {
		firstColumn: state.from, lastColumn: state.to < 0 ? whole.lastColumn : state.to,
		firstRow: state.low, lastRow: state.high < 0 ? whole.lastRow : state.high,
	};
}

function within(value: number, least: number, most: number): number {
	return Math.min(Math.max(Math.floor(value), least), most);
}

/* A link may say anything. */
export function sane(state: State, heat: Heat): State {
	const oneOf = <Name extends keyof State>(name: Name, values: readonly State[Name][]): State[Name] =>
		values.includes(state[name]) ? state[name] : INITIAL[name];
	const map = within(state.map, 0, Math.max(heat.maps.length - 1, 0));
	const { columns, rows } = heat.maps[map] ?? { columns: 1, rows: [0] };
	const from = within(state.from, 0, columns - 1), low = within(state.low, 0, rows.length - 1);
	return {
		...state, map, from, low,
		colour: oneOf("colour", COLOURINGS), quantity: oneOf("quantity", QUANTITIES), palette: oneOf("palette", PALETTES),
		theme: oneOf("theme", THEMES), height: oneOf("height", HEIGHTS), stacks: oneOf("stacks", STACKS),
		to: state.to < 0 ? -1 : within(state.to, from, columns - 1),
		high: state.high < 0 ? -1 : within(state.high, low, rows.length - 1),
		column: within(state.column, -1, columns - 1), row: within(state.row, -1, rows.length - 1),
	};
}
