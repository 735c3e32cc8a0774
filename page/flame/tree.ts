// SPDX-License-Identifier: Apache-2.0
/*
 * Stacks merged into a tree.
 *
 * A tree may have millions of nodes, so it is columns of numbers, not objects.
 * Nodes are in preorder:
 *
 * 1. Node 0 is the root.  A parent has a smaller number than its children.
 * 2. The subtree of i is i .. end[i] - 1: its first child is i + 1 (if that is
 *    below end[i]), and the next sibling of a child c is end[c].
 * 3. total is self and the totals of the children; so are width, beforeTotal.
 *
 * width is what the picture shows as width.  It is the total, except in a
 * difference of two profiles, where a path that vanished has no total but
 * should be seen (see weigh).
 */

export const NO_FRAME = 0xffffffff;

export interface Tree {
	length: number;
	frame: Uint32Array;
	parent: Int32Array;
	depth: Int32Array;
	end: Int32Array;
	self: Float64Array;
	total: Float64Array;
	width: Float64Array;
	beforeSelf: Float64Array | null;	/* in the first of two profiles */
	beforeTotal: Float64Array | null;
}

/* Takes nodes in preorder; at most `capacity` of them, the root included. */
export class TreeBuilder {
	length = 0;
	readonly frame: Uint32Array;
	readonly parent: Int32Array;
	readonly depth: Int32Array;
	readonly self: Float64Array;
	readonly before: Float64Array | null;

	constructor(capacity: number, isDifference: boolean, rootFrame = NO_FRAME) {
		this.frame = new Uint32Array(capacity);
		this.parent = new Int32Array(capacity);
		this.depth = new Int32Array(capacity);
		this.self = new Float64Array(capacity);
		this.before = isDifference ? new Float64Array(capacity) : null;
		this.frame[0] = rootFrame;
		this.parent[0] = -1;
		this.length = 1;
	}

	add(parent: number, frame: number): number {
		const node = this.length++;
		this.frame[node] = frame;
		this.parent[node] = parent;
		this.depth[node] = this.depth[parent] + 1;
		return node;
	}

	finish(): Tree {
		const { length, before } = this;
		const cut = <Column extends Uint32Array | Int32Array | Float64Array>(column: Column): Column =>
			(length * 4 < column.length ? column.slice(0, length) : column.subarray(0, length)) as Column;
		const tree: Tree = {
			length,
			frame: cut(this.frame),
			parent: cut(this.parent),
			depth: cut(this.depth),
			end: new Int32Array(length),
			self: cut(this.self),
			total: new Float64Array(length),
			width: new Float64Array(0),
			beforeSelf: before && cut(before),
			beforeTotal: before && new Float64Array(length),
		};
		const { parent, end } = tree;
		for (let i = 0; i < length; i++)
			end[i] = i + 1;
		for (let i = length - 1; i > 0; i--)
			if (end[parent[i]] < end[i])
				end[parent[i]] = end[i];
		sumUp(tree, tree.self, tree.total);
		if (tree.beforeSelf && tree.beforeTotal)
			sumUp(tree, tree.beforeSelf, tree.beforeTotal);
		tree.width = tree.total;
		return tree;
	}
}

function sumUp(tree: Tree, self: Float64Array, total: Float64Array): void {
	const parent = tree.parent;
	total.set(self);
	for (let i = tree.length - 1; i > 0; i--)
		total[parent[i]] += total[i];
}

/* What the width of a difference stands for: the larger one shows all paths. */
export const WIDTHS = ["larger", "after", "before"] as const;
export type Width = typeof WIDTHS[number];

/* Sets the widths of a difference; `scale` is applied to the first profile. */
export function weigh(tree: Tree, width: Width, scale: number): void {
	const before = tree.beforeSelf;
	if (!before || width === "after") {
		tree.width = tree.total;
		return;
	}
	const self = new Float64Array(tree.length);
	for (let i = 0; i < tree.length; i++)
		self[i] = width === "before" ? before[i] * scale : Math.max(tree.self[i], before[i] * scale);
	tree.width = new Float64Array(tree.length);
	sumUp(tree, self, tree.width);
}

/* Rows that the subtree needs, from the root of the tree. */
export function deepest(tree: Tree, node: number): number {
	let depth = 0;
	for (let i = node; i < tree.end[node]; i++)
		if (tree.depth[i] > depth)
			depth = tree.depth[i];
	return depth;
}

/* Frames from the root to the node. */
export function pathTo(tree: Tree, node: number): number[] {
	const path: number[] = [];
	for (let i = node; i > 0; i = tree.parent[i])
		path.push(tree.frame[i]);
	return path.reverse();
}
