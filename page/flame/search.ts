// SPDX-License-Identifier: Apache-2.0
/*
 * Search: a regular expression over names.
 *
 * Frames are tested, not nodes, so it costs as much as there are different
 * functions.  Small letters find capitals, too.  What is no regular expression
 * ("operator(") is looked for as it is.
 */

import { Frames, fullName } from "./data";
import { Tree } from "./tree";

export function pattern(text: string): RegExp {
	const flags = /[A-Z]/.test(text.replace(/\\./g, "")) ? "u" : "iu";
	for (const source of [text, text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")])
		try {
			return new RegExp(source, flags);
		} catch {
			/* not an expression */
		}
	return /(?!)/;
}

/* 1 for each frame that matches by its name or with its object; null: no search. */
export function matching(frames: Frames, text: string): Uint8Array | null {
	if (!text)
		return null;
	const expression = pattern(text);
	const found = new Uint8Array(frames.length);
	for (let i = 0; i < frames.length; i++)
		found[i] = expression.test(frames.name[i]) || expression.test(fullName(frames, i)) ? 1 : 0;
	return found;
}

/* What passes through a match, once even where matches are nested. */
export function matchedTotal(tree: Tree, matches: Uint8Array): number {
	let sum = 0;
	for (let i = 0; i < tree.length;) {
		if (matches[tree.frame[i]]) {
			sum += tree.total[i];
			i = tree.end[i];
		} else {
			i++;
		}
	}
	return sum;
}
