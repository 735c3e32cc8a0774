// SPDX-License-Identifier: Apache-2.0
/*
 * From a profile and a state to the picture: which stacks, merged how, zoomed
 * where.  Steps that take time on large profiles are kept until something that
 * they depend on changes.
 */

import { Frames, fullName, Profile } from "./data";
import { Part, picture, Picture } from "./layout";
import { filtered, isSorted, mergeDown, reversed, sandwich } from "./merge";
import { matching } from "./search";
import { State } from "./state";
import { NO_FRAME, Tree, weigh } from "./tree";

/* The number of a function; NO_FRAME: there is none of this name. */
export function frameNamed(frames: Frames, name: string): number {
	for (let i = 0; i < frames.length; i++)
		if (fullName(frames, i) === name)
			return i;
	return NO_FRAME;
}

/* How much of the first profile counts as one of the second. */
export function scaleOf(profile: Profile, state: State): number {
	const before = profile.tree.beforeTotal?.[0] ?? 0;
	return state.scale && before ? profile.tree.total[0] / before : 1;
}

/* Calls `make` only if the key differs from the last one. */
class Kept<Value> {
	private key: string | null = null;
	private value!: Value;

	get(key: string, make: () => Value): Value {
		if (this.key !== key) {
			this.value = make();
			this.key = key;
		}
		return this.value;
	}
}

export class View {
	private readonly stacks = new Kept<Tree>();
	private readonly trees = new Kept<Tree[]>();
	private readonly picture = new Kept<Picture>();
	private readonly found = new Kept<Uint8Array | null>();

	constructor(readonly profile: Profile) {}

	/* All stacks that are not filtered away, from the root. */
	stacksOf(state: State): Tree {
		const { tree, frames } = this.profile;
		const { focus, ignore, collapse, order } = state;
		return this.stacks.get(JSON.stringify([focus, ignore, collapse, order]), () => {
			const some = filtered(tree, matching(frames, focus), matching(frames, ignore));
			const byWeight = order === "weight";
			return collapse || byWeight || !isSorted(some, frames)
				? mergeDown(some, frames, [0], { collapse, byWeight }) : some;
		});
	}

	private treesOf(state: State): Tree[] {
		const { focus, ignore, collapse, order, merge } = state;
		return this.trees.get(JSON.stringify([focus, ignore, collapse, order, merge, state.function]), () => {
			const { frames } = this.profile;
			const stacks = this.stacksOf(state);
			const how = { collapse: false, byWeight: order === "weight" };
			if (merge === "leaf") {
				const tree = reversed(stacks, frames);
				return [how.byWeight ? mergeDown(tree, frames, [0], how) : tree];
			}
			return merge === "function" ? sandwich(stacks, frames, frameNamed(frames, state.function), how) : [stacks];
		});
	}

	pictureOf(state: State): Picture {
		const { focus, ignore, collapse, order, merge, shape, zoom, callerZoom, width } = state;
		const scale = scaleOf(this.profile, state);
		const key = [focus, ignore, collapse, order, merge, state.function, shape, zoom, callerZoom, width, scale];
		return this.picture.get(JSON.stringify(key), () => {
			const trees = this.treesOf(state);
			for (const tree of trees)
				weigh(tree, width, scale);
			const zoomIn = (tree: Tree, node: number): number => node < tree.length && tree.width[node] > 0 ? node : 0;
			const parts: Part[] = trees.length === 2
				? [{ tree: trees[0], grows: "up", zoom: zoomIn(trees[0], callerZoom), hidesRoot: true },
					{ tree: trees[1], grows: "down", zoom: zoomIn(trees[1], zoom), hidesRoot: false }]
				: [{ tree: trees[0], grows: shape === "flame" ? "up" : "down", zoom: zoomIn(trees[0], zoom), hidesRoot: false }];
			return picture(parts);
		});
	}

	/* Does a frame of this part have a weight of its own? */
	hasSelf(state: State, part: number): boolean {
		return state.merge === "root" || state.merge === "function" && part === 1;
	}

	/* Frames that the search finds; null: there is none. */
	matches(state: State): Uint8Array | null {
		return this.found.get(state.search, () => matching(this.profile.frames, state.search));
	}
}
