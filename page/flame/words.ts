// SPDX-License-Identifier: Apache-2.0
/* What a frame says about itself: tooltip, line of details, live region. */

import { change, percent, quantity } from "../common/units";
import { fullName, KINDS, Profile } from "./data";
import { isVanished } from "./palette";
import { NO_FRAME, Tree } from "./tree";

export interface Words {
	name: string;
	lines: string[];
}

/*
 * `all` is the tree of all stacks, `tree` the one that is shown.  The weight of
 * a path that vanished is what it was before.  From the leaf a frame has no
 * weight of its own: the stack goes on.
 */
export function describe(profile: Profile, all: Tree, tree: Tree, node: number, hasSelf: boolean): Words {
	const { unit, frames, sides } = profile;
	const frame = tree.frame[node], parent = tree.parent[node];
	const isGone = isVanished(tree, node);
	const weights = isGone && tree.beforeTotal ? tree.beforeTotal : tree.total;
	const whole = (isGone && all.beforeTotal ? all.beforeTotal : all.total)[0];
	const lines = [`${quantity(weights[node], unit)}${isGone ? " " + sides.vanished : ""}, ` +
		`${percent(weights[node], whole)} of all` +
		(parent >= 0 ? `, ${percent(weights[node], weights[parent])} of parent` : "")];
	if (hasSelf && tree.self[node] && node)
		lines.push(`${quantity(tree.self[node], unit)} in the function itself, ${percent(tree.self[node], whole)} of all`);
	if (tree.beforeTotal && tree.beforeSelf && !isGone) {
		const compared = (after: number, before: number): string => `${quantity(before, unit)} ${sides.before}, ` +
			(sides.areParts ? `${percent(before, all.beforeTotal?.[0] ?? 0)} of all there` : change(after - before, unit));
		lines.push(tree.beforeTotal[node] ? compared(tree.total[node], tree.beforeTotal[node]) : sides.fresh);
		if (hasSelf && (tree.self[node] || tree.beforeSelf[node]))
			lines.push("itself: " + compared(tree.self[node], tree.beforeSelf[node]));
	}
	if (frame !== NO_FRAME)
		lines.push(KINDS[frames.kind[frame]] + (frames.object[frame] ? `, ${frames.object[frame]}` : ""));
	return { name: fullName(frames, frame), lines };
}

export function inOneLine({ name, lines }: Words): string {
	return `${name}: ${lines.join("; ")}`;
}
