// SPDX-License-Identifier: Apache-2.0
/*
 * The data of a flame graph, as the C side writes them:
 *
 *	strings	names of functions and objects
 *	frames	varints: string of the name, string of the object + 1, kind
 *	nodes	varints in preorder: frame << 1 | special.  A plain node is a
 *		child of the one before it and has no weight of its own.  A
 *		special one says how many levels to go up from there first, its
 *		own weight and, in a difference, its weight before.
 */

import { base64Bytes, VarintReader } from "../common/varint";
import { visible } from "../common/text";
import { RUNS, Sides } from "./sides";
import { Tree, TreeBuilder } from "./tree";

export const KINDS = ["kernel", "user", "script", "inlined", "key"] as const;

/* Where a frame is: its function, its object (or ""), which of KINDS. */
export interface Frames {
	length: number;
	name: string[];
	object: string[];
	kind: Uint8Array;
	rank: Uint32Array;	/* place in the order of names */
}

export interface Profile {
	title: string;
	subtitle: string;
	unit: string;
	notes: string[];
	isDifference: boolean;
	sides: Sides;		/* what is compared */
	frames: Frames;
	tree: Tree;
}

interface Written {
	format: number;
	title?: string;
	subtitle?: string;
	unit?: string;
	countBefore?: number;
	strings: string[];
	frames: string;
	nodes: string;
	notes?: string[];
}

/* Frames with their places in the order of names. */
export function makeFrames(name: string[], object: string[], kind: Uint8Array): Frames {
	const order = name.map((_, i) => i).sort((a, b) =>
		name[a] < name[b] ? -1 : name[a] > name[b] ? 1 : object[a] < object[b] ? -1 : object[a] > object[b] ? 1 : a - b);
	const rank = new Uint32Array(name.length);
	order.forEach((frame, place) => { rank[frame] = place; });
	return { length: name.length, name, object, kind, rank };
}

function readFrames(written: Written): Frames {
	const reader = new VarintReader(base64Bytes(written.frames));
	const strings = written.strings.map(visible);
	const name: string[] = [], object: string[] = [], kinds: number[] = [];
	while (!reader.isAtEnd()) {
		const [text, owner, kind] = [reader.next(), reader.next(), reader.next()];
		if (text >= strings.length || owner > strings.length || kind >= KINDS.length)
			throw new Error("The data are damaged: a frame without a name.");
		name.push(strings[text]);
		object.push(owner ? strings[owner - 1] : "");
		kinds.push(kind);
	}
	return makeFrames(name, object, Uint8Array.from(kinds));
}

function readTree(written: Written, nframes: number): Tree {
	const bytes = base64Bytes(written.nodes);
	const reader = new VarintReader(bytes);
	const isDifference = written.countBefore === 1;
	const builder = new TreeBuilder(bytes.length + 1, isDifference);	/* a node is a byte or more */
	let parent = 0;
	while (!reader.isAtEnd()) {
		const token = reader.next();
		const isSpecial = token % 2 === 1, frame = (token - (isSpecial ? 1 : 0)) / 2;
		for (let up = isSpecial ? reader.next() : 0; up > 0 && parent >= 0; up--)
			parent = builder.parent[parent];
		if (parent < 0 || frame >= nframes)
			throw new Error("The data are damaged: a node without a place.");
		parent = builder.add(parent, frame);
		if (isSpecial) {
			builder.self[parent] = reader.next();
			if (builder.before)
				builder.before[parent] = reader.next();
		}
	}
	return builder.finish();
}

export function readProfile(data: unknown): Profile {
	const written = data as Written | null;
	if (!written || written.format !== 1)
		throw new Error("The data have a format that this page does not know.");
	const frames = readFrames(written);
	return {
		title: visible(written.title ?? ""),
		subtitle: visible(written.subtitle ?? ""),
		unit: visible(written.unit ?? "samples"),
		notes: (written.notes ?? []).map(visible),
		isDifference: written.countBefore === 1,
		sides: RUNS,
		frames,
		tree: readTree(written, frames.length),
	};
}

/* object`name, as stacks print it. */
export function fullName(frames: Frames, frame: number): string {
	if (frame >= frames.length)
		return "all";
	const name = frames.name[frame], object = frames.object[frame];
	/* code without a name is called by its place: "libz.so.1+0x2460" */
	return object && !name.startsWith(object + "+") ? object + "`" + name : name;
}

export function shortName(frames: Frames, frame: number): string {
	return frame >= frames.length ? "all" : frames.name[frame];
}
