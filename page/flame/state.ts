// SPDX-License-Identifier: Apache-2.0
/* What a user has chosen; all of it is in the URL (common/fragment.ts). */

import { PALETTES, Palette } from "./palette";
import { Width, WIDTHS } from "./tree";

export const SHAPES = ["flame", "icicle"] as const;
export const MERGES = ["root", "leaf", "function"] as const;
export const ORDERS = ["name", "weight"] as const;
export const BASES = ["total", "self"] as const;

export interface State {
	shape: typeof SHAPES[number];
	merge: typeof MERGES[number];	/* from the root, from the leaf, or around a function */
	function: string;		/* its full name */
	zoom: number;			/* nodes; 0: everything */
	callerZoom: number;		/* in the upper part of two */
	search: string;
	focus: string;
	ignore: string;
	collapse: boolean;
	order: typeof ORDERS[number];
	colour: Palette;
	least: number;			/* width of a frame that is shown, in pixels */
	basis: typeof BASES[number];	/* of a difference: what colours compare */
	width: Width;			/* of a difference: what widths are */
	scale: boolean;			/* of a difference: take both as equally long */
}

export function initialState(isDifference: boolean, areParts = false): State {
	return {
		shape: "flame", merge: "root", function: "", zoom: 0, callerZoom: 0, search: "", focus: "", ignore: "",
		collapse: false, order: "name", colour: isDifference ? "difference" : "warm", least: 0.5,
		basis: "total", width: "larger", scale: areParts,
	};
}

/* A link may say anything. */
export function sane(state: State, initial: State): State {
	const oneOf = <Name extends keyof State>(name: Name, values: readonly State[Name][]): State[Name] =>
		values.includes(state[name]) ? state[name] : initial[name];
	return {
		...state,
		shape: oneOf("shape", SHAPES),
		merge: oneOf("merge", MERGES),
		order: oneOf("order", ORDERS),
		colour: oneOf("colour", PALETTES),
		basis: oneOf("basis", BASES),
		width: oneOf("width", WIDTHS),
		least: Math.min(Math.max(state.least, 0.1), 100),
		zoom: Math.max(0, Math.floor(state.zoom)),
		callerZoom: Math.max(0, Math.floor(state.callerZoom)),
	};
}
