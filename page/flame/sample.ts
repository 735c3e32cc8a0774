// SPDX-License-Identifier: Apache-2.0
/* Small profiles for tests, written as folded text. */

import { Frames, Profile } from "./data";
import { RUNS } from "./sides";
import { pathTo, Tree, TreeBuilder } from "./tree";

/* "a;b 3" for each stack, "a;b 3 5" in a difference; a name may be object`name. */
export function profileOf(stacks: string[]): Profile {
	const lines = stacks.map((line) => line.split(" "));
	const isDifference = lines.some((words) => words.length > 2);
	const full = [...new Set(lines.flatMap((words) => words[0].split(";")))].sort((a, b) =>
		a.replace(/.*`/, "") < b.replace(/.*`/, "") ? -1 : 1);
	const frames: Frames = {
		length: full.length, name: full.map((name) => name.replace(/.*`/, "")), object: full.map((name) => /(.*)`/.exec(name)?.[1] ?? ""),
		kind: new Uint8Array(full.length).fill(1), rank: Uint32Array.from(full.keys()),
	};
	const numbers = lines.map((words) => words[0].split(";").map((name) => full.indexOf(name)));
	const order = [...lines.keys()].sort((a, b) => {
		const at = numbers[a].findIndex((frame, i) => frame !== numbers[b][i]);
		return at < 0 ? -1 : numbers[a][at] - (numbers[b][at] ?? -1);
	});
	const builder = new TreeBuilder(1000, isDifference);
	const path: number[] = [], nodes: number[] = [];
	for (const line of order) {
		let common = 0;
		while (common < path.length && path[common] === numbers[line][common])
			common++;
		path.length = nodes.length = common;
		for (const frame of numbers[line].slice(common)) {
			path.push(frame);
			nodes.push(builder.add(nodes[nodes.length - 1] ?? 0, frame));
		}
		const [, first, second] = lines[line];
		const node = nodes[nodes.length - 1];
		builder.self[node] = Number(second ?? first);
		if (builder.before)
			builder.before[node] = Number(first);
	}
	return { title: "t", subtitle: "", unit: "samples", notes: [], isDifference, sides: RUNS, frames, tree: builder.finish() };
}

/* Each node with its path and total: what a picture shows. */
export function shown(frames: Frames, tree: Tree): string[] {
	return Array.from({ length: tree.length - 1 }, (_, i) =>
		pathTo(tree, i + 1).map((frame) => frames.name[frame]).join(";") + " " +
		(tree.beforeTotal ? tree.beforeTotal[i + 1] + " " : "") + tree.total[i + 1]);
}
