// SPDX-License-Identifier: Apache-2.0
/*
 * What a user has chosen; all of it is in the URL (common/fragment.ts).  Each
 * picture on the page has a part of its own, by instrumentation and set: a
 * fragment within the fragment.
 */

import { readFragment, writeFragment } from "../common/fragment";
import { Colouring, COLOURINGS, Height, HEIGHTS, Quantity } from "../heat/model";
import { Palette, PALETTES } from "../heat/palette";
import { INITIAL as HEAT, QUANTITIES, STACKS, State as HeatState, THEMES } from "../heat/state";
import { SPANS } from "./clock";
import { VIEWS } from "./types";

/* "": panels, or the start page if there are none. */
export const PAGES = ["", "start", "machine", "service", "program", "metric", "write"] as const;

export interface State {
	page: typeof PAGES[number];
	module: string;		/* of the start page */
	metric: string;
	pid: number;		/* 0: none */
	request: string;	/* what the chooser has, as JSON */
	program: string;	/* what the editor has */
	hosts: string;		/* of a fleet: for what is asked next; "": all */
	aggby: string;		/* labels, with commas */
	span: number;		/* seconds */
	until: number;		/* ms; 0: now */
	large: number;		/* the panel that has the page for itself; 0: none */
	theme: typeof THEMES[number];
	palette: Palette;
	colour: Colouring;
	quantity: Quantity;
	height: Height;
	p50: boolean;
	p90: boolean;
	p99: boolean;
	average: boolean;
	blocks: string;
}

export const INITIAL: State = {
	page: "", module: "", metric: "", pid: 0, request: "", program: "", hosts: "", aggby: "", span: 60, until: 0, large: 0,
	theme: HEAT.theme, palette: HEAT.palette, colour: HEAT.colour, quantity: HEAT.quantity, height: HEAT.height,
	p50: HEAT.p50, p90: HEAT.p90, p99: HEAT.p99, average: HEAT.average, blocks: "",
};

/* A link may say anything. */
export function sane(state: State): State {
	const oneOf = <Name extends keyof State>(name: Name, values: readonly State[Name][]): State[Name] =>
		values.includes(state[name]) ? state[name] : INITIAL[name];
	return {
		...state, page: oneOf("page", PAGES), span: oneOf("span", SPANS), theme: oneOf("theme", THEMES), palette: oneOf("palette", PALETTES),
		colour: oneOf("colour", COLOURINGS), quantity: oneOf("quantity", QUANTITIES), height: oneOf("height", HEIGHTS),
		until: Math.max(0, Math.floor(state.until)), pid: Math.max(0, Math.floor(state.pid)),
	};
}

/* Of one picture. */
export interface Block {
	view: string;		/* "": what fits best */
	only: string;
	without: string;
	hue: string;
	filter: string;
	area: string;		/* what is selected (cells.ts) */
	stacks: typeof STACKS[number];
	flame: string;
	sort: string;		/* a column of a table; "": by value */
	isUp: boolean;
	search: string;
}

export const INITIAL_BLOCK: Block = {
	view: "", only: "", without: "", hue: "", filter: "", area: "", stacks: "none", flame: "", sort: "", isUp: false, search: "",
};

export function readBlock(blocks: string, id: string): Block {
	const block = readFragment(new URLSearchParams(blocks).get(id) ?? "", INITIAL_BLOCK);
	return {
		...block, view: (VIEWS as readonly string[]).includes(block.view) ? block.view : "",
		stacks: STACKS.includes(block.stacks) ? block.stacks : "none",
	};
}

export function writeBlock(blocks: string, id: string, block: Block): string {
	const all = new URLSearchParams(blocks), fragment = writeFragment(block, INITIAL_BLOCK);
	if (fragment)
		all.set(id, fragment);
	else
		all.delete(id);
	return all.toString();
}

/* Those of an instrumentation that is gone. */
export function withoutBlocks(blocks: string, instrumentation: number): string {
	const all = new URLSearchParams(blocks);
	for (const id of [...all.keys()])
		if (parseInt(id, 10) === instrumentation)
			all.delete(id);
	return all.toString();
}

/* As the components of page/heat want it. */
export function heatState(state: State, block: Block): HeatState {
	const { theme, palette, colour, quantity, height, p50, p90, p99, average } = state;
	const { only, without, hue, filter, stacks, flame } = block;
	return { ...HEAT, theme, palette, colour, quantity, height, p50, p90, p99, average, only, without, hue, filter, stacks, flame };
}
