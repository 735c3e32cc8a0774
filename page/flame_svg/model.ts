// SPDX-License-Identifier: Apache-2.0
/*
 * Boxes of a flame graph in SVG: which are shown and how wide when one of them
 * is chosen, what fits into them, how the keyboard gets from one to the next,
 * and how much a search has found.
 */

export interface Box {
	left: number;	/* in pixels, as it was drawn */
	width: number;
	row: number;	/* 0 is the root */
	name: string;	/* all of it, with its object */
}

export interface Place {
	left: number;
	width: number;
	isBelow: boolean;	/* called the chosen one, directly or not */
}

/* Widths are rounded in the file. */
const ROUNDING = 0.011;

function isWithin(inner: Box, outer: Box): boolean {
	return inner.left >= outer.left - ROUNDING && inner.left + inner.width <= outer.left + outer.width + ROUNDING;
}

/* Where a box is when `chosen` is as wide as the root; null: not to be seen. */
export function place(box: Box, chosen: Box, root: Box): Place | null {
	if (box.row <= chosen.row)
		return isWithin(chosen, box) ? { left: root.left, width: root.width, isBelow: box.row < chosen.row } : null;
	if (!isWithin(box, chosen))
		return null;
	const scale = root.width / chosen.width;
	const left = Math.max(box.left - chosen.left, 0) * scale;
	return { left: root.left + left, width: Math.min(box.width * scale, root.width - left), isBelow: false };
}

function withoutObject(name: string): string {
	return name.slice(name.indexOf("`") + 1);
}

/* What is written into a box: without the object; what is too long ends in two dots. */
export function label(name: string, width: number, charWidth: number, pad: number): string {
	const characters = [...withoutObject(name)];
	const fits = Math.floor((width - 2 * pad) / charWidth);
	if (characters.length <= fits)
		return characters.join("");
	return fits < 3 ? "" : characters.slice(0, fits - 2).join("") + "..";
}

/* One line about a box: where there is no room, the name is cut and not the numbers. */
export function sentence(name: string, numbers: string, width: number, charWidth: number): string {
	const room = Math.floor(width / charWidth) - numbers.length, characters = [...name];
	return (characters.length <= room ? name : characters.slice(0, Math.max(room - 2, 0)).join("") + "..") + numbers;
}

export type Direction = "callee" | "caller" | "left" | "right";

/*
 * The box that a key leads to, of those that are shown: the widest callee, the
 * caller, or the next one in the row.
 */
export function neighbour<Any extends Box>(shown: Any[], from: Any, direction: Direction): Any | null {
	let best: Any | null = null;
	const isBetter: Record<Direction, (box: Any) => boolean> = {
		callee: (box) => box.row === from.row + 1 && isWithin(box, from) && (!best || box.width > best.width),
		caller: (box) => box.row === from.row - 1 && isWithin(from, box),
		left: (box) => box.row === from.row && box.left < from.left && (!best || box.left > best.left),
		right: (box) => box.row === from.row && box.left > from.left && (!best || box.left < best.left),
	};
	for (const box of shown)
		if (isBetter[direction](box))
			best = box;
	return best;
}

/* By its name, or with its object. */
export function matches(box: Box, wanted: RegExp): boolean {
	return wanted.test(withoutObject(box.name)) || wanted.test(box.name);
}

/* The share of the root that boxes cover; what is above one of them counts once. */
export function share(found: Box[], root: Box): number {
	let covered = 0, end = -Infinity;
	for (const box of [...found].sort((a, b) => a.left - b.left || b.width - a.width)) {
		const right = box.left + box.width;
		if (right <= end + ROUNDING)
			continue;
		covered += right - Math.max(box.left, end);
		end = right;
	}
	return root.width ? covered / root.width : 0;
}
