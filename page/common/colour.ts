// SPDX-License-Identifier: Apache-2.0
/*
 * Colours as numbers, and whether text on them can be read (WCAG 2: contrast
 * of at least 4.5 to 1).
 */

export type Rgb = readonly [number, number, number];

/* Hue in degrees, the others from 0 to 1. */
export function hsl(hue: number, saturation: number, lightness: number): Rgb {
	const amount = saturation * Math.min(lightness, 1 - lightness);
	const channel = (n: number): number => {
		const k = (n + hue / 30) % 12;
		return Math.round(255 * (lightness - amount * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
	};
	return [channel(0), channel(8), channel(4)];
}

export function mix(a: Rgb, b: Rgb, share: number): Rgb {
	const channel = (i: number): number => Math.round(a[i] + (b[i] - a[i]) * share);
	return [channel(0), channel(1), channel(2)];
}

export function css([r, g, b]: Rgb): string {
	return "#" + (1 << 24 | r << 16 | g << 8 | b).toString(16).slice(1);
}

function luminance(colour: Rgb): number {
	const [r, g, b] = colour.map((value) => {
		const c = value / 255;
		return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function contrast(a: Rgb, b: Rgb): number {
	const [x, y] = [luminance(a), luminance(b)];
	return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

export const BLACK: Rgb = [0, 0, 0];
export const WHITE: Rgb = [255, 255, 255];

/* One of the two can always be read. */
export function textOn(colour: Rgb): Rgb {
	return contrast(colour, BLACK) >= contrast(colour, WHITE) ? BLACK : WHITE;
}

/* The same number for the same text, everywhere and always; 0 to 1. */
export function hash(text: string): number {
	let value = 0x811c9dc5;
	for (let i = 0; i < text.length; i++)
		value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
	value = Math.imul(value ^ value >>> 15, 0x2c1b3c6d);
	return ((value ^ value >>> 13) >>> 0) / 2 ** 32;
}
