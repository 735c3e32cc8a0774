// SPDX-License-Identifier: Apache-2.0
/*
 * Trees made of trees: without some stacks, without recursion, from the leaf,
 * the callers and the callees of a function.
 *
 * All of them are one idea.  A node of the new tree stands for a group of
 * nodes of the old one; its children are what follows any of them (their
 * children, or their parents when looking from the leaf), grouped by frame.
 * Groups are ranges of one array and the work is linear in the nodes that are
 * looked at, so a tree of millions of nodes takes a fraction of a second.
 */

import { Frames } from "./data";
import { NO_FRAME, Tree, TreeBuilder } from "./tree";

export interface Arrangement {
	collapse: boolean;	/* a function that calls itself is one frame */
	byWeight: boolean;	/* children by falling weight, not by name */
}

/* Sorts items by the frame of node[item]; remembers where groups begin. */
class Grouping {
	private readonly count: Int32Array;
	private readonly weight: Float64Array;
	private scratch = new Int32Array(64);
	readonly starts: number[] = [];

	constructor(private readonly frames: Frames) {
		this.count = new Int32Array(frames.length);
		this.weight = new Float64Array(frames.length);
	}

	/* Ends with the group that comes first: a stack takes it from there. */
	sort(items: Int32Array, low: number, high: number, frameOf: (item: number) => number, weightOf?: (item: number) => number): void {
		const { count, weight, starts } = this, rank = this.frames.rank;
		starts.length = 0;
		if (high - low <= 1) {
			if (high > low)
				starts.push(low);
			return;
		}
		const distinct: number[] = [];
		for (let i = low; i < high; i++) {
			const frame = frameOf(items[i]);
			if (count[frame]++ === 0) {
				distinct.push(frame);
				weight[frame] = 0;
			}
			if (weightOf)
				weight[frame] += weightOf(items[i]);
		}
		if (distinct.length > 1) {
			if (this.scratch.length < high - low)
				this.scratch = new Int32Array((high - low) * 2);
			this.scratch.set(items.subarray(low, high));
			distinct.sort(weightOf ? (a, b) => weight[a] - weight[b] || rank[b] - rank[a] : (a, b) => rank[b] - rank[a]);
		}
		let at = low;
		for (const frame of distinct) {
			starts.push(at);
			const size = count[frame];
			count[frame] = at;
			at += size;
		}
		if (distinct.length > 1)
			for (let i = 0; i < high - low; i++) {
				const item = this.scratch[i];
				items[count[frameOf(item)]++] = item;
			}
		for (const frame of distinct)
			count[frame] = 0;
	}
}

/* The subtrees of some nodes as one; the root of the result stands for them. */
export function mergeDown(tree: Tree, frames: Frames, nodes: ArrayLike<number>, how: Arrangement): Tree {
	const { frame, end, self, total, beforeSelf, beforeTotal } = tree;
	const rootFrame = nodes.length ? frame[nodes[0]] : NO_FRAME;
	const builder = new TreeBuilder(tree.length + 1, beforeSelf !== null, rootFrame);
	const grouping = new Grouping(frames);
	const items = new Int32Array(tree.length + 1);
	const lows: number[] = [], parents: number[] = [];
	const frameOf = (item: number): number => frame[item];
	const weightOf = how.byWeight ? (item: number): number =>
		beforeTotal ? Math.max(total[item], beforeTotal[item]) : total[item] : undefined;
	let group: ArrayLike<number> = nodes, top = 0, node = 0;

	/* Recursion may be deep: what is collapsed waits in a list. */
	const pending: number[] = [];
	const take = (source: number): void => {
		pending.push(source);
		for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
			builder.self[node] += self[at];
			if (builder.before && beforeSelf)
				builder.before[node] += beforeSelf[at];
			for (let child = at + 1; child < end[at]; child = end[child]) {
				if (how.collapse && frame[child] === builder.frame[node])
					pending.push(child);
				else
					items[top++] = child;
			}
		}
	};
	/* A way without branches, which most of a tree is, needs no groups. */
	const followAlone = (source: number): number => {
		while (source + 1 < end[source] && end[source + 1] === end[source] && !(how.collapse && frame[source + 1] === frame[source])) {
			builder.self[node] += self[source];
			if (builder.before && beforeSelf)
				builder.before[node] += beforeSelf[source];
			node = builder.add(node, frame[++source]);
		}
		return source;
	};
	for (;;) {
		const low = top;
		if (group.length === 1)
			take(followAlone(group[0]));
		else
			for (let i = 0; i < group.length; i++)
				take(group[i]);
		grouping.sort(items, low, top, frameOf, weightOf);
		for (const start of grouping.starts) {
			lows.push(start);
			parents.push(node);
		}
		const next = lows.pop();
		if (next === undefined)
			return builder.finish();
		node = builder.add(parents.pop()!, frame[items[next]]);
		group = top - next === 1 ? [items[next]] : items.slice(next, top);
		top = next;
	}
}

/* The ways up from some nodes, each with a weight, as one tree. */
function mergeUp(tree: Tree, frames: Frames, starts: Int32Array, weights: Float64Array, befores: Float64Array | null,
	rootFrame: number): Tree {
	const { frame, parent, depth } = tree;
	let capacity = 1;
	for (const start of starts)
		capacity += Math.max(depth[start], 0);
	const builder = new TreeBuilder(capacity, befores !== null, rootFrame);
	const grouping = new Grouping(frames);
	const cursor = starts.slice();			/* by item: the node it is at; 0: the stack has ended */
	const items = Int32Array.from(starts.keys());
	const lows: number[] = [], highs: number[] = [], parents: number[] = [];
	const frameOf = (item: number): number => frame[cursor[item]];
	const end = (node: number, item: number): void => {
		builder.self[node] += weights[item];
		if (builder.before && befores)
			builder.before[node] += befores[item];
	};
	const follow = (node: number, low: number, high: number): void => {
		let kept = high;
		for (let i = high - 1; i >= low; i--) {
			const item = items[i];
			if (cursor[item] > 0) {
				items[i] = items[--kept];
				items[kept] = item;
			} else {
				end(node, item);
			}
		}
		grouping.sort(items, kept, high, frameOf);
		for (let i = 0; i < grouping.starts.length; i++) {
			lows.push(grouping.starts[i]);
			highs.push(i + 1 < grouping.starts.length ? grouping.starts[i + 1] : high);
			parents.push(node);
		}
	};

	follow(0, 0, items.length);
	while (lows.length) {
		const low = lows.pop()!, high = highs.pop()!;
		let node = parents.pop()!;
		if (high - low === 1) {			/* alone from here on: most of them */
			const item = items[low];
			for (let at = cursor[item]; at > 0; at = parent[at])
				node = builder.add(node, frame[at]);
			end(node, item);
			continue;
		}
		node = builder.add(node, frame[cursor[items[low]]]);
		for (let i = low; i < high; i++)
			cursor[items[i]] = parent[cursor[items[i]]];
		follow(node, low, high);
	}
	return builder.finish();
}

/* Stacks from the leaf: who uses the time, and on whose behalf. */
export function reversed(tree: Tree, frames: Frames): Tree {
	const { self, beforeSelf } = tree;
	const starts: number[] = [];
	for (let i = 1; i < tree.length; i++)
		if (self[i] || beforeSelf?.[i])
			starts.push(i);
	const nodes = Int32Array.from(starts);
	return mergeUp(tree, frames, nodes, Float64Array.from(nodes, (i) => self[i]),
		beforeSelf && Float64Array.from(nodes, (i) => beforeSelf[i]), NO_FRAME);
}

/* Nodes of a function that are not below another one of it. */
export function outermost(tree: Tree, wanted: (frame: number) => boolean): number[] {
	const found: number[] = [];
	for (let i = 1; i < tree.length;) {
		if (wanted(tree.frame[i])) {
			found.push(i);
			i = tree.end[i];
		} else {
			i++;
		}
	}
	return found;
}

/* Callers and callees of a function; the root of both is the function. */
export function sandwich(tree: Tree, frames: Frames, frame: number, how: Arrangement): [Tree, Tree] {
	const nodes = outermost(tree, (other) => other === frame);
	const { total, beforeTotal } = tree;
	const callers = mergeUp(tree, frames, Int32Array.from(nodes, (i) => tree.parent[i]),
		Float64Array.from(nodes, (i) => total[i]),
		beforeTotal && Float64Array.from(nodes, (i) => beforeTotal[i]), frame);
	return [how.byWeight ? mergeDown(callers, frames, [0], how) : callers, mergeDown(tree, frames, nodes, how)];
}

/* Only stacks with a frame to focus on, if any are given, and none to ignore. */
export function filtered(tree: Tree, focus: Uint8Array | null, ignore: Uint8Array | null): Tree {
	if (!focus && !ignore)
		return tree;
	const { length, frame, parent, end, self, beforeSelf } = tree;
	const isFocused = new Uint8Array(length);
	const isKept = new Uint8Array(length);		/* it, or something below it, stays */
	isFocused[0] = focus ? 0 : 1;
	isKept[0] = 1;
	for (let i = 1; i < length;) {
		if (ignore && ignore[frame[i]]) {
			i = end[i];
			continue;
		}
		isFocused[i] = isFocused[parent[i]] | (focus ? focus[frame[i]] : 0);
		if (isFocused[i] && (self[i] || beforeSelf?.[i]))
			for (let up = i; !isKept[up]; up = parent[up])
				isKept[up] = 1;
		i++;
	}
	const builder = new TreeBuilder(length, beforeSelf !== null, frame[0]);
	const placed = new Int32Array(length);
	for (let i = 1; i < length; i++) {
		if (!isKept[i])
			continue;
		const node = placed[i] = builder.add(placed[parent[i]], frame[i]);
		if (isFocused[i]) {
			builder.self[node] = self[i];
			if (builder.before && beforeSelf)
				builder.before[node] = beforeSelf[i];
		}
	}
	return builder.finish();
}

/* Are siblings in the order of their names, each but once? */
export function isSorted(tree: Tree, frames: Frames): boolean {
	const last = new Int32Array(tree.length).fill(-1);	/* by parent */
	for (let i = 1; i < tree.length; i++) {
		const rank = frames.rank[tree.frame[i]], parent = tree.parent[i];
		if (last[parent] >= rank)
			return false;
		last[parent] = rank;
	}
	return true;
}
