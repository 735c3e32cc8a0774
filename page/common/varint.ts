// SPDX-License-Identifier: Apache-2.0
/*
 * Numbers as C wrote them: base64 of varints (7 bits each, low first, the high
 * bit says that more follow).  Millions of them are read when a page opens, so
 * this decodes by table, without strings in between.
 */

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const DIGITS = new Uint8Array(65536).fill(255);	/* by UTF-16 code */
for (let i = 0; i < ALPHABET.length; i++)
	DIGITS[ALPHABET.charCodeAt(i)] = i;

export function base64Bytes(text: string): Uint8Array {
	let length = text.length;
	while (length > 0 && text[length - 1] === "=")
		length--;
	const bytes = new Uint8Array(Math.floor(length * 3 / 4));
	let out = 0, seen = 0;
	const digit = (at: number): number => {
		const value = DIGITS[text.charCodeAt(at)];
		seen |= value;
		return value;
	};
	let at = 0;
	for (; at + 4 <= length; at += 4) {
		const word = digit(at) << 18 | digit(at + 1) << 12 | digit(at + 2) << 6 | digit(at + 3);
		bytes[out++] = word >> 16;
		bytes[out++] = word >> 8;
		bytes[out++] = word;
	}
	if (length - at >= 2)
		bytes[out++] = digit(at) << 2 | digit(at + 1) >> 4;
	if (length - at === 3)
		bytes[out++] = digit(at + 1) << 4 | digit(at + 2) >> 2;
	if (seen > 63 || length % 4 === 1)
		throw new Error("The data are damaged: not base64.");
	return bytes;
}

export class VarintReader {
	private at = 0;

	constructor(private readonly bytes: Uint8Array) {}

	isAtEnd(): boolean {
		return this.at >= this.bytes.length;
	}

	/* Numbers up to 2^53. */
	next(): number {
		const bytes = this.bytes;
		let byte = bytes[this.at++];
		if (byte < 128)
			return byte;
		let value = 0, weight = 1;
		for (;;) {
			if (byte === undefined || weight > 2 ** 49)
				throw new Error("The data are damaged: a number does not end.");
			value += (byte & 127) * weight;
			if (byte < 128)
				return value;
			weight *= 128;
			byte = bytes[this.at++];
		}
	}
}
