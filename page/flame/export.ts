// SPDX-License-Identifier: Apache-2.0
/* The picture as SVG, and its stacks as folded text. */

import { fitted } from "../common/text";
import { Frames, fullName, Profile, shortName } from "./data";
import { layOut, Picture } from "./layout";
import { FOUND, isVanished, Painter } from "./palette";
import { Tree } from "./tree";
import { describe, inOneLine } from "./words";

const WIDTH = 1200, ROW = 18, MARGIN = 10, HEAD = 50, CELL = 7.25;

/* Also in attributes.  Controls are not left in names (common/text.ts). */
function escaped(text: string): string {
	return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

export interface Drawing {
	profile: Profile;
	stacks: Tree;
	picture: Picture;
	painter: Painter;
	matches: Uint8Array | null;
	least: number;
	hasSelf: (part: number) => boolean;
}

export function asSvg({ profile, stacks, picture, painter, matches, least, hasSelf }: Drawing): string {
	const { boxes } = layOut(picture, { width: WIDTH - 2 * MARGIN, firstRow: 0, lastRow: picture.rows - 1, least });
	const height = HEAD + picture.rows * ROW + MARGIN;
	const parts = [`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" ` +
		'font-family="monospace" font-size="12">',
		`<title>${escaped(profile.title)}</title>`,
		'<rect width="100%" height="100%" fill="#ffffff"/>',
		`<text x="${MARGIN}" y="20" font-size="16">${escaped(profile.title)}</text>`,
		`<text x="${MARGIN}" y="38">${escaped([profile.subtitle, ...profile.notes].filter(Boolean).join("; "))}</text>`];
	for (const { part, node, row, x, width } of boxes) {
		const { tree } = picture.parts[part];
		const frame = tree.frame[node];
		const { fill, text } = matches && matches[frame] ? FOUND : painter.of(tree, node);
		const label = fitted(shortName(profile.frames, frame), width - 6, CELL, (name) => Array.from(name).length * CELL * 2);
		const left = MARGIN + x, top = HEAD + row * ROW;
		parts.push(`<g><title>${escaped(inOneLine(describe(profile, stacks, tree, node, hasSelf(part))))}</title>` +
			`<rect x="${left.toFixed(2)}" y="${top}" width="${width.toFixed(2)}" height="${ROW - 1}" fill="${fill}"` +
			(isVanished(tree, node) ? ' stroke="#000000" stroke-dasharray="3 2"' : "") + "/>" +
			(label ? `<text x="${(left + 3).toFixed(2)}" y="${top + 13}" fill="${text}">${escaped(label)}</text>` : "") + "</g>");
	}
	parts.push("</svg>");
	return parts.join("\n") + "\n";
}

/* As stackvis writes it: object`name.  Semicolons separate frames, so a name has none. */
function folded(frames: Frames, frame: number): string {
	return fullName(frames, frame).replace(/;/g, ":");
}

/* A line for each stack; in a difference with both weights, the first one first. */
export function asFolded(frames: Frames, tree: Tree): string {
	const lines: string[] = [], path: string[] = [];
	for (let node = 1; node < tree.length; node++) {
		path.length = tree.depth[node] - 1;
		path.push(folded(frames, tree.frame[node]));
		const before = tree.beforeSelf ? tree.beforeSelf[node] : 0;
		if (tree.self[node] || before)
			lines.push(`${path.join(";")} ${tree.beforeSelf ? before + " " : ""}${tree.self[node]}`);
	}
	return lines.join("\n") + "\n";
}
