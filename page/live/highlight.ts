// SPDX-License-Identifier: Apache-2.0
/*
 * D as pieces to colour, and the pieces that the compiler complains about.
 * Places of the compiler are bytes; of a browser, UTF-16.
 */

import { Complaint } from "./types";

export const PIECES = ["comment", "string", "number", "probe", "keyword", "variable", "aggregation", "macro", "plain"] as const;
export type PieceKind = typeof PIECES[number];

export interface Piece {
	kind: PieceKind;
	text: string;
	start: number;
}

const KEYWORDS = new Set(("auto break case char const continue counter default do double else enum extern float for goto if import inline int long " +
	"offsetof provider register restrict return self short signed sizeof static string stringof struct switch this translator typedef union unsigned void " +
	"volatile while xlate").split(" "));
const VARIABLES = new Set(("arg0 arg1 arg2 arg3 arg4 arg5 arg6 arg7 arg8 arg9 args caller cpu curcpu curlwpsinfo curpsinfo curthread cwd epid errno execname " +
	"gid id ipl jthis pid ppid probefunc probemod probename probeprov stackdepth tid timestamp ucaller uid uregs vtimestamp walltimestamp zonename").split(" "));

const TOKENS: [PieceKind, RegExp][] = [
	["comment", /\/\*[\s\S]*?(?:\*\/|$)/y],
	["comment", /#[^\n]*/y],
	["string", /"(?:[^"\\\n]|\\[\s\S])*"?/y],
	["string", /'(?:[^'\\\n]|\\[\s\S])*'?/y],
	["number", /\b(?:0[xX][0-9a-fA-F]+|\d+)[a-zA-Z]*/y],
	["aggregation", /@[A-Za-z_]?\w*/y],
	["macro", /\$+\w+/y],
	["probe", /[A-Za-z_$*?[\]][\w$*?[\].`-]*:[\w$*?[\].`:-]*/y],
	["plain", /[A-Za-z_]\w*/y],
	["plain", /\s+/y],
	["plain", /[\s\S]/y],
];

export function piecesOf(text: string): Piece[] {
	const pieces: Piece[] = [];
	for (let at = 0; at < text.length;) {
		for (const [kind, pattern] of TOKENS) {
			pattern.lastIndex = at;
			const found = pattern.exec(text)?.[0];
			if (!found)
				continue;
			const real = kind !== "plain" ? kind : KEYWORDS.has(found) ? "keyword" : VARIABLES.has(found) ? "variable" : "plain";
			const last = pieces[pieces.length - 1];
			if (real === "plain" && last?.kind === "plain")
				last.text += found;
			else
				pieces.push({ kind: real, text: found, start: at });
			at += found.length;
			break;
		}
	}
	return pieces;
}

/* How many bytes of UTF-8 a text has. */
export function bytesOf(text: string): number {
	return new TextEncoder().encode(text).length;
}

/* The place in the text that so many bytes lead to. */
export function placeOfByte(text: string, bytes: number): number {
	let at = 0, seen = 0;
	for (const character of text) {
		if (seen >= bytes)
			break;
		seen += bytesOf(character);
		at += character.length;
	}
	return at;
}

export interface Span {
	start: number;
	end: number;
}

/* What a complaint is about; at the end of a line, where nothing is, the character before. */
export function spanOf(text: string, complaint: Complaint): Span {
	const lines = text.split("\n"), line = Math.max(0, Math.min(complaint.line - 1, lines.length - 1));
	const begin = lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0);
	const column = Math.max(0, complaint.column || 0);
	const start = begin + placeOfByte(lines[line], column);
	const end = begin + placeOfByte(lines[line], column + Math.max(1, complaint.length || 1));
	return end > start ? { start, end } : { start: Math.max(begin, begin + lines[line].length - 1), end: begin + Math.max(1, lines[line].length) };
}

/* Pieces cut at the spans, and which of them are in one. */
export function marked(pieces: readonly Piece[], spans: readonly Span[]): (Piece & { isMarked: boolean })[] {
	const cuts = [...new Set(spans.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
	return pieces.flatMap((piece) => {
		const end = piece.start + piece.text.length;
		const edges = [piece.start, ...cuts.filter((cut) => cut > piece.start && cut < end), end];
		return edges.slice(1).map((to, i) => ({
			kind: piece.kind, start: edges[i], text: piece.text.slice(edges[i] - piece.start, to - piece.start),
			isMarked: spans.some((span) => edges[i] >= span.start && to <= span.end),
		}));
	});
}
