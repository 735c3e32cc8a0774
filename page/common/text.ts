// SPDX-License-Identifier: Apache-2.0
/*
 * Names of traced programs as text that shows what is in them.  C has made
 * controls visible already; a page does it again, because it must not depend
 * on who wrote its data.
 */

const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]/gu;

/* Controls, marks that turn the direction of text, lone surrogates. */
export function visible(text: string): string {
	return text.replace(HIDDEN, (c) => {
		const code = c.charCodeAt(0);
		return code < 256 ? "\\x" + code.toString(16).padStart(2, "0")
			: "\\u" + code.toString(16).padStart(4, "0");
	});
}

const PLAIN = /^[ -~]*$/;

/*
 * As much of a text as fits, ended by "…"; "" if that would say nothing.
 * `cell` is the width of an ASCII character (the font has but one);
 * `measure` is asked only for others.
 */
export function fitted(text: string, room: number, cell: number, measure: (text: string) => number): string {
	const isPlain = PLAIN.test(text);
	if (isPlain ? text.length * cell <= room : measure(text) <= room)
		return text;
	if (room < 3 * cell)
		return "";
	if (isPlain)
		return text.slice(0, Math.floor(room / cell) - 1).trimEnd() + "…";
	const characters = Array.from(text);
	let low = 0, high = characters.length;
	while (low < high) {
		const middle = (low + high + 1) >> 1;
		if (measure(characters.slice(0, middle).join("") + "…") <= room)
			low = middle;
		else
			high = middle - 1;
	}
	return low < 2 ? "" : characters.slice(0, low).join("") + "…";
}
