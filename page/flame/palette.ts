// SPDX-License-Identifier: Apache-2.0
/*
 * Colours of frames.  All but the difference depend on the frame alone, and on
 * nothing else in the file, so that a function has the same colour in every
 * picture.
 */

import { css, hash, hsl, mix, Rgb, textOn, WHITE } from "../common/colour";
import { Frames, KINDS, Profile } from "./data";
import { NO_FRAME, Tree } from "./tree";

export const PALETTES = ["warm", "module", "kind", "name", "difference"] as const;
export type Palette = typeof PALETTES[number];

export interface Paint {
	fill: string;
	text: string;
}

export function paint(colour: Rgb): Paint {
	return { fill: css(colour), text: css(textOn(colour)) };
}

const ROOT: Rgb = hsl(40, 0.12, 0.82);
const KIND_HUES: Record<typeof KINDS[number], number> = { kernel: 28, user: 52, script: 130, inlined: 188, key: 265 };
export const FOUND = paint(hsl(300, 0.85, 0.72));
export const SAME: Rgb = [235, 235, 235];
export const MORE: Rgb = [226, 64, 48];		/* red: it grew */
export const LESS: Rgb = [74, 122, 228];	/* blue: it shrank */
const STEPS = 20;

export function kindColour(kind: number, variation: number): Rgb {
	return hsl(KIND_HUES[KINDS[kind]], 0.75, 0.62 + 0.14 * variation);
}

export function objectColour(object: string): Rgb {
	const shade = hash("2" + object);	/* objects of like hue differ in this */
	return object ? hsl(360 * hash(object), 0.4 + 0.45 * shade, 0.62 + 0.16 * shade) : hsl(0, 0, 0.75);
}

/* Of a palette that depends on the frame alone. */
export function frameColour(palette: Palette, frames: Frames, frame: number): Rgb {
	if (frame === NO_FRAME)
		return ROOT;
	const name = frames.name[frame], variation = hash(name);
	switch (palette) {
	case "module": return mix(objectColour(frames.object[frame]), WHITE, 0.2 * variation);
	case "kind": return kindColour(frames.kind[frame], variation);
	case "name": return hsl(360 * variation, 0.55, 0.72);
	default: return hsl(4 + 48 * variation, 0.9, 0.6 + 0.08 * hash("2" + name));
	}
}

/* -1: it vanished, 0: as before, 1: it is new. */
export function changeOf(tree: Tree, node: number, basis: "self" | "total", scale: number): number {
	const after = basis === "self" ? tree.self[node] : tree.total[node];
	const before = ((basis === "self" ? tree.beforeSelf : tree.beforeTotal)?.[node] ?? 0) * scale;
	const larger = Math.max(after, before);
	return larger ? (after - before) / larger : 0;
}

export function changeColour(change: number): Rgb {
	return mix(SAME, change > 0 ? MORE : LESS, Math.abs(change));
}

/* Remembers what it was asked for: a picture has many boxes of a frame. */
export class Painter {
	private readonly byFrame: (Paint | undefined)[] = [];
	private readonly byChange: Paint[] = [];
	private readonly root = paint(ROOT);

	constructor(private readonly palette: Palette, private readonly frames: Frames,
		private readonly basis: "self" | "total", private readonly scale: number) {
		for (let i = -STEPS; i <= STEPS; i++)
			this.byChange.push(paint(changeColour(i / STEPS)));
	}

	of(tree: Tree, node: number): Paint {
		const frame = tree.frame[node];
		if (this.palette === "difference") {
			const change = changeOf(tree, node, this.basis, this.scale);
			return this.byChange[STEPS + Math.sign(change) * Math.ceil(Math.abs(change) * STEPS)];
		}
		if (frame === NO_FRAME)
			return this.root;
		return this.byFrame[frame] ??= paint(frameColour(this.palette, this.frames, frame));
	}
}

/* Gone, with all below it: only the first profile has it. */
export function isVanished(tree: Tree, node: number): boolean {
	return tree.beforeTotal !== null && !tree.total[node] && tree.beforeTotal[node] > 0;
}

export interface Key {
	label: string;
	colour: Rgb;
}

const MOST_OBJECTS = 12;

/* What colours mean, where they mean something; objects by their own weight. */
export function legend(palette: Palette, { frames, sides }: Profile, tree: Tree): Key[] {
	if (palette === "difference")
		return [LESS, changeColour(-0.5), SAME, changeColour(0.5), MORE].map((colour, i) => ({ label: sides.changes[i], colour }));
	if (palette === "kind") {
		const present = new Set(frames.kind);
		return KINDS.map((label, kind) => ({ label, kind })).filter(({ kind }) => present.has(kind))
			.map(({ label, kind }) => ({ label, colour: kindColour(kind, 0.5) }));
	}
	if (palette !== "module")
		return [];
	const byFrame = new Float64Array(frames.length), weights = new Map<string, number>();
	for (let i = 1; i < tree.length; i++)
		byFrame[tree.frame[i]] += tree.self[i];
	frames.object.forEach((object, frame) => weights.set(object, (weights.get(object) ?? 0) + byFrame[frame]));
	return [...weights].sort((a, b) => b[1] - a[1]).slice(0, MOST_OBJECTS)
		.map(([object]) => ({ label: object || "no module", colour: mix(objectColour(object), WHITE, 0.1) }));
}
