// SPDX-License-Identifier: Apache-2.0
/*
 * Colours of cells.  Every palette goes from near the paper to far from it in
 * lightness alone as well, so that it can be read by people who see colours
 * badly, and in grey on paper.  With highlighted keys the hue is theirs, and
 * the value shows as distance from the paper.
 */

import { BLACK, mix, Rgb, WHITE } from "../common/colour";

export const PALETTES = ["viridis", "orange", "blue", "grey"] as const;
export type Palette = typeof PALETTES[number];

/* On light paper, from little to much; on dark paper the other way round. */
const STOPS: Record<Palette, Rgb[]> = {
	viridis: [[253, 231, 37], [94, 201, 98], [33, 145, 140], [59, 82, 139], [68, 1, 84]],
	orange: [[254, 237, 200], [253, 190, 110], [241, 120, 30], [180, 60, 5], [90, 20, 0]],
	blue: [[222, 235, 250], [150, 195, 230], [70, 140, 200], [20, 80, 160], [5, 25, 80]],
	grey: [[225, 225, 225], [165, 165, 165], [110, 110, 110], [60, 60, 60], [0, 0, 0]],
};

export function colourOf(palette: Palette, level: number, isDark: boolean): Rgb {
	const stops = STOPS[palette];
	const at = (isDark ? 1 - level : level) * (stops.length - 1);
	const stop = Math.min(Math.floor(at), stops.length - 2);
	return mix(stops[stop], stops[stop + 1], at - stop);
}

/* Hues that are told apart with any kind of colour vision (Okabe and Ito). */
export const HUES: readonly Rgb[] = [
	[230, 159, 0], [0, 114, 178], [0, 158, 115], [204, 121, 167], [86, 180, 233], [213, 94, 0], [240, 228, 66],
];
export const OTHER: Rgb = [140, 140, 140];

export function hueOf(place: number): Rgb {
	return HUES[place % HUES.length];
}

/* shares: what part of the cell each highlighted key has. */
export function highlighted(shares: readonly number[], level: number, isDark: boolean): Rgb {
	let colour = OTHER, seen = 0;
	shares.forEach((share, place) => {
		seen += share;
		if (share > 0)
			colour = seen === share ? hueOf(place) : mix(colour, hueOf(place), share / seen);
	});
	return mix(isDark ? BLACK : WHITE, mix(OTHER, colour, Math.min(1, seen)), 0.35 + 0.65 * level);
}
