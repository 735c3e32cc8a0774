// SPDX-License-Identifier: Apache-2.0
/* Boxes on a canvas: what is in the window, and nothing else. */

import { fitted } from "../common/text";
import { Frames, shortName } from "./data";
import { Box, Layout, Picture } from "./layout";
import { FOUND, isVanished, Paint, paint, Painter } from "./palette";

export const ROW = 18;
const FONT = "12px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace";
const PADDING = 3;
const ANCESTOR = paint([208, 208, 208]);

export interface Scene {
	picture: Picture;
	frames: Frames;
	painter: Painter;
	matches: Uint8Array | null;
}

export class Canvas {
	readonly element = document.createElement("canvas");
	private readonly context = this.element.getContext("2d")!;
	private cell = 0;
	private readonly widths = new Map<string, number>();

	private readonly measure = (text: string): number => {
		let width = this.widths.get(text);
		if (width === undefined)
			this.widths.set(text, width = this.context.measureText(text).width);
		return width;
	};

	/* Clears, too; sizes are in CSS pixels. */
	resize(width: number, height: number): void {
		const ratio = window.devicePixelRatio || 1;
		this.element.width = Math.round(width * ratio);
		this.element.height = Math.round(height * ratio);
		this.element.style.width = `${width}px`;
		this.element.style.height = `${height}px`;
		this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
		this.context.font = FONT;
		this.context.textBaseline = "middle";
		this.cell = this.context.measureText("m").width;
	}

	/* `top` is where row 0 is on the canvas. */
	draw(scene: Scene, layout: Layout, top: number): void {
		const context = this.context;
		context.fillStyle = getComputedStyle(this.element).getPropertyValue("--remainder") || "#888888";
		for (const { row, x, width } of layout.remainders)
			context.fillRect(x, top + row * ROW, width, ROW - 1);
		for (const box of layout.boxes)
			this.drawBox(scene, box, top + box.row * ROW);
	}

	private paintOf(scene: Scene, { part, node }: Box): Paint {
		const { tree, zoom } = scene.picture.parts[part];
		if (scene.matches && scene.matches[tree.frame[node]])
			return FOUND;
		return node < zoom && tree.end[node] > zoom ? ANCESTOR : scene.painter.of(tree, node);
	}

	private drawBox(scene: Scene, box: Box, y: number): void {
		const context = this.context;
		const { tree } = scene.picture.parts[box.part];
		const { fill, text } = this.paintOf(scene, box);
		const width = box.width > 3 ? box.width - 1 : box.width;
		context.fillStyle = fill;
		context.fillRect(box.x, y, width, ROW - 1);
		if (width > 4 && isVanished(tree, box.node)) {
			context.strokeStyle = text;
			context.setLineDash([4, 3]);
			context.strokeRect(box.x + 0.5, y + 0.5, width - 1, ROW - 2);
			context.setLineDash([]);
		}
		const room = width - 2 * PADDING;
		if (room < 3 * this.cell)
			return;
		const label = fitted(shortName(scene.frames, tree.frame[box.node]), room, this.cell, this.measure);
		if (!label)
			return;
		context.fillStyle = text;
		context.fillText(label, box.x + PADDING, y + ROW / 2);
	}
}
