// SPDX-License-Identifier: Apache-2.0
/*
 * The stacks of some cells, as a profile for a flame graph (page/flame).
 *
 * Cells have a node of a tree that all maps share.  Of it remains what leads to
 * the nodes of the cells that count, once for each key, whose name is the lowest
 * frame, as in pictures of -x flame.  Keys that are left out of the map are left
 * out here, too.
 */

import { Frames, KINDS, makeFrames, Profile } from "../flame/data";
import { RUNS, Sides } from "../flame/sides";
import { Tree, TreeBuilder } from "../flame/tree";
import { Heat, HeatMap, Stacks } from "./data";
import { Choice, isChosen, isWithin, Window } from "./model";

const PARTS: Sides = {
	before: "in the rest", after: "selection", vanished: "in the rest, none selected", fresh: "none in the rest",
	changes: ["only in the rest", "less than in the rest", "same share", "more than in the rest", "only selected"], areParts: true,
};

const KEY = KINDS.indexOf("key");
const known = new WeakMap<HeatMap, Frames>();

/* The frames of all stacks, then the keys of the map. */
function framesOf(stacks: Stacks, map: HeatMap): Frames {
	let frames = known.get(map);
	if (!frames) {
		const { name, object, kind } = stacks.frames;
		const keys = map.keyNames.length ? map.keys : [];
		frames = makeFrames([...name, ...keys], [...object, ...keys.map(() => "")],
			Uint8Array.from([...kind, ...keys.map(() => KEY)]));
		known.set(map, frames);
	}
	return frames;
}

/* By key and node: how much is in the area, and how much is not. */
type Nodes = Map<number, { selected: number; rest: number }>;
type Weights = Map<number, Nodes>;

/* Numbers of keys are those of the map that is shown; another one has the stacks. */
function weigh(map: HeatMap, source: HeatMap, area: Window | null, choice: Choice, areKeysCompared: boolean): Weights {
	const weights: Weights = new Map();
	const column = Math.round((source.start - map.start) / map.step), row = source.firstRow - map.firstRow;
	const numbers = new Map(map.keys.map((name, key) => [name, key]));
	const chosen = source.keys.map((name) => isChosen(areKeysCompared ? { ...choice, only: new Set() } : choice, numbers.get(name) ?? -1));
	const picked = source.keys.map((name) => choice.only.has(numbers.get(name) ?? -1));
	for (let i = 0; i < source.count.length; i++) {
		const count = source.count[i], key = source.key[i];
		if (!(count > 0) || chosen[key] === false)
			continue;
		const place = areKeysCompared ? 0 : key, nodes: Nodes = weights.get(place) ?? new Map();
		const node = source.stack ? source.stack[i] : 0;
		const weight = nodes.get(node) ?? { selected: 0, rest: 0 };
		if (areKeysCompared ? picked[key] : !area || isWithin(area, source.column[i] + column, source.row[i] + row))
			weight.selected += count;
		else
			weight.rest += count;
		nodes.set(node, weight);
		weights.set(place, nodes);
	}
	return weights;
}

/* Takes a part of the tree, many times: what it needs for that is made once. */
class Pruner {
	private readonly isUsed: Uint8Array;
	private readonly placed: Int32Array;

	constructor(private readonly tree: Tree) {
		this.isUsed = new Uint8Array(tree.length);
		this.placed = new Int32Array(tree.length);
	}

	/* The nodes and what leads to them, the root first; numbers are in preorder. */
	pathsTo(nodes: Iterable<number>): Uint32Array {
		const { isUsed } = this, { parent } = this.tree, used: number[] = [0];
		isUsed[0] = 1;
		for (const node of nodes)
			for (let up = node; !isUsed[up]; up = parent[up]) {
				isUsed[up] = 1;
				used.push(up);
			}
		for (const node of used)
			isUsed[node] = 0;
		return Uint32Array.from(used).sort();
	}

	/* Adds them to `root`, which stands for the tree's own. */
	grow(builder: TreeBuilder, root: number, paths: Uint32Array, nodes: Nodes): void {
		const { placed } = this, { parent, frame } = this.tree;
		for (const node of paths)
			placed[node] = node ? builder.add(placed[parent[node]], frame[node]) : root;
		for (const [node, { selected, rest }] of nodes) {
			builder.self[placed[node]] += selected;
			if (builder.before)
				builder.before[placed[node]] += rest;
		}
	}
}

/*
 * Without an area: everything.  With `isCompared` the rest of the map is what it is
 * compared with; without an area, too, the keys that are shown with all others.
 */
export function profileOf(heat: Heat, map: HeatMap, area: Window | null, choice: Choice, isCompared: boolean): Profile | null {
	const source = heat.maps[map.stacksIn], { stacks } = heat;
	if (!source || !stacks)
		return null;
	const frames = framesOf(stacks, source);
	const areKeysCompared = isCompared && !area && choice.only.size > 0;
	const weights = weigh(map, source, area, choice, areKeysCompared);
	if (!isCompared)
		for (const nodes of weights.values())
			for (const [node, { selected }] of nodes)
				if (!selected)
					nodes.delete(node);
	const hasKeys = source.keyNames.length > 0 && !areKeysCompared, firstKey = stacks.frames.length;
	const pruner = new Pruner(stacks.tree);
	const used = [...weights].filter(([, nodes]) => nodes.size).map(([key, nodes]) =>
		({ key, nodes, paths: pruner.pathsTo(nodes.keys()) }));
	if (hasKeys)
		used.sort((a, b) => frames.rank[firstKey + a.key] - frames.rank[firstKey + b.key]);
	const builder = new TreeBuilder(used.reduce((sum, { paths }) => sum + paths.length, 1), isCompared);
	for (const { key, nodes, paths } of used)
		pruner.grow(builder, hasKeys ? builder.add(0, firstKey + key) : 0, paths, nodes);
	return {
		title: heat.title, subtitle: heat.subtitle, unit: map.countUnit, notes: [], isDifference: isCompared,
		sides: isCompared ? PARTS : RUNS, frames, tree: builder.finish(),
	};
}
