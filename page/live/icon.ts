// SPDX-License-Identifier: Apache-2.0
/* Small pictures of pictures, for the start page. */

import { css, hsl } from "../common/colour";
import { element } from "../common/dom";
import { colourOf } from "../heat/palette";
import { Entry } from "./types";

const WIDTH = 240, HEIGHT = 96;

/* The same picture each time. */
function noise(seed: number): number {
	const x = Math.sin(seed * 12.9898) * 43758.5453;
	return x - Math.floor(x);
}

function drawHeat(context: CanvasRenderingContext2D, isDark: boolean): void {
	for (let column = 0; column < 30; column++)
		for (let row = 0; row < 12; row++) {
			const low = Math.exp(-((row - 3) ** 2) / 4), high = Math.exp(-((row - 9) ** 2) / 2) * (column % 9 < 2 ? 0.9 : 0.12);
			const level = (low + high) * (0.55 + 0.45 * noise(column * 13 + row));
			if (level < 0.08)
				continue;
			context.fillStyle = css(colourOf("viridis", Math.min(1, level), isDark));
			context.fillRect(column * 8, HEIGHT - (row + 1) * 8, 7.5, 7.5);
		}
}

function drawLines(context: CanvasRenderingContext2D, isDark: boolean): void {
	[[0, 40, 14], [1, 64, 9], [2, 80, 5]].forEach(([seed, base, swing], i) => {
		context.strokeStyle = css(hsl([210, 35, 160][i], 0.8, isDark ? 0.62 : 0.42));
		context.lineWidth = 2.5;
		context.beginPath();
		for (let x = 0; x <= WIDTH; x += 6) {
			const spike = i === 0 && x % 96 < 18 ? 26 : 0;
			context.lineTo(x, base - spike - swing * Math.sin(x / (17 + seed * 9)) - 6 * noise(x + seed * 100));
		}
		context.stroke();
	});
}

function drawFlame(context: CanvasRenderingContext2D): void {
	const grow = (x: number, width: number, row: number, seed: number): void => {
		if (row > 6 || width < 8)
			return;
		context.fillStyle = css(hsl(6 + 44 * noise(seed), 0.9, 0.6));
		context.fillRect(x, HEIGHT - (row + 1) * 13.5, width - 1, 12.5);
		const part = 0.3 + 0.5 * noise(seed + 1);
		grow(x, width * part, row + 1, seed * 2 + 1);
		grow(x + width * part, width * (1 - part) * (0.4 + 0.5 * noise(seed + 3)), row + 1, seed * 2 + 2);
	};
	grow(0, WIDTH, 0, 3);
}

export function icon(entry: Entry, isDark: boolean): HTMLElement {
	const canvas = element("canvas", { class: "icon", "aria-hidden": "true", width: String(2 * WIDTH), height: String(2 * HEIGHT) });
	const context = canvas.getContext("2d");
	context?.scale(2, 2);
	if (context)
		({ machine: drawHeat, service: drawLines, program: drawFlame })[entry](context, isDark);
	return canvas;
}
