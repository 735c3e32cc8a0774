// SPDX-License-Identifier: Apache-2.0
/*
 * Where frames are drawn.
 *
 * A picture has one part (a flame graph or an icicle) or two (callers above a
 * function, callees below it).  Of a part only what can be seen becomes boxes:
 * rows in the window, frames that are wide enough.  Preorder makes that one
 * walk: what is too narrow or too deep is left out with all below it.
 */

import { deepest, Tree } from "./tree";

export interface Part {
	tree: Tree;
	grows: "up" | "down";
	zoom: number;		/* the node that is as wide as the window */
	hidesRoot: boolean;	/* the other part shows it */
}

export interface Picture {
	parts: Part[];
	origins: number[];	/* by part: the row of its root */
	rows: number;
}

export interface Box {
	part: number;
	node: number;
	row: number;
	x: number;
	width: number;
}

/* Frames side by side that are too narrow to be shown one by one. */
export interface Remainder {
	row: number;
	x: number;
	width: number;
}

export interface Layout {
	boxes: Box[];		/* those of a row are in the order of x */
	remainders: Remainder[];
}

export interface Window {
	width: number;
	firstRow: number;
	lastRow: number;
	least: number;		/* width of a frame that is shown */
}

export function picture(parts: Part[]): Picture {
	const heights = parts.map((part) => deepest(part.tree, part.zoom));
	const above = Math.max(0, ...parts.map((part, i) => part.grows === "up" ? heights[i] : 0));
	const below = Math.max(0, ...parts.map((part, i) => part.grows === "down" ? heights[i] : 0));
	return { parts, origins: parts.map(() => above), rows: above + below + 1 };
}

export function rowOf(picture: Picture, part: number, depth: number): number {
	return picture.origins[part] + (picture.parts[part].grows === "up" ? -depth : depth);
}

function isIn(window: Window, row: number): boolean {
	return row >= window.firstRow && row <= window.lastRow;
}

function layPart(picture: Picture, number: number, window: Window, layout: Layout): void {
	const { tree, zoom, hidesRoot, grows } = picture.parts[number];
	const { end, depth, width } = tree;
	const scale = width[zoom] > 0 ? window.width / width[zoom] : 0;
	if (!scale)
		return;
	const ancestors: Box[] = [];
	for (let node = tree.parent[zoom]; node >= 0; node = tree.parent[node])
		ancestors.push({ part: number, node, row: rowOf(picture, number, depth[node]), x: 0, width: window.width });
	layout.boxes.push(...ancestors.reverse().filter((box) => isIn(window, box.row) && !(hidesRoot && box.node === 0)));

	const origin = picture.origins[number], step = grows === "up" ? -1 : 1;
	const most = step < 0 ? origin - window.firstRow : window.lastRow - origin;
	const next: number[] = [];			/* by depth: where the next frame begins */
	const rest: (Remainder | null)[] = [];		/* by depth: one that may still grow */
	next[depth[zoom]] = 0;
	for (let node = zoom; node < end[zoom];) {
		const level = depth[node], x = next[level], w = width[node] * scale;
		const row = origin + step * level;
		next[level] = x + w;
		if (w < window.least || level > most) {
			const open = rest[level];
			if (level > most || w === 0) {
				/* nothing to see */
			} else if (open && x - open.x - open.width < 0.01) {
				open.width = x + w - open.x;
			} else if (isIn(window, row)) {
				layout.remainders.push(rest[level] = { row, x, width: w });
			}
			node = end[node];
			continue;
		}
		next[level + 1] = x;
		if (isIn(window, row) && !(hidesRoot && node === 0))
			layout.boxes.push({ part: number, node, row, x, width: w });
		node++;
	}
}

export function layOut(picture: Picture, window: Window): Layout {
	const layout: Layout = { boxes: [], remainders: [] };
	for (let part = 0; part < picture.parts.length; part++)
		layPart(picture, part, window, layout);
	return layout;
}

/* Boxes by row, for looking up what is at a place. */
export class BoxIndex {
	private readonly rows = new Map<number, Box[]>();

	constructor(readonly boxes: Box[]) {
		for (const box of boxes) {
			const row = this.rows.get(box.row);
			if (row)
				row.push(box);
			else
				this.rows.set(box.row, [box]);
		}
	}

	row(row: number): readonly Box[] {
		return this.rows.get(row) ?? [];
	}

	/* The box at x; none: the gap is wider than a frame. */
	at(row: number, x: number): Box | null {
		const boxes = this.row(row);
		let low = 0, high = boxes.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (boxes[middle].x <= x)
				low = middle + 1;
			else
				high = middle;
		}
		const box = boxes[low - 1];
		return box && x < box.x + Math.max(box.width, 1) ? box : null;
	}

	find(part: number, node: number): Box | null {
		return this.boxes.find((box) => box.part === part && box.node === node) ?? null;
	}
}
