// SPDX-License-Identifier: Apache-2.0
/*
 * A canvas with the time axis that all pictures of the page share: the same
 * margins as heat maps have, so that a time is at the same place in each.
 * Dragging the axis, or turning a wheel sideways, moves the clock of all.
 */

import { element } from "../common/dom";
import { fitted } from "../common/text";
import { timeTicks } from "../heat/axis";
import { LEFT, RIGHT, TOP, BOTTOM } from "../heat/canvas";
import { Times } from "./clock";
import { Marks, timeAt, xOf } from "./marks";
import { Scene } from "./scene";
import { timeOfDay, zoneSeconds } from "./zone";

export interface Ink {
	paper: string;
	text: string;
	quiet: string;
	grid: string;
}

export const INKS: Record<"light" | "dark", Ink> = {
	light: { paper: "#f6f6f6", text: "#1c1c1c", quiet: "#555555", grid: "#dcdcdc" },
	dark: { paper: "#0b0c0e", text: "#ececec", quiet: "#b5b5b5", grid: "#2c2f33" },
};

export const FONT = "12px system-ui, sans-serif";

/* The clock follows the axis of a canvas. */
export function scrollable(canvas: HTMLElement, scene: () => Scene | null): void {
	let from: { x: number; until: number } | null = null;
	const perPixel = (times: Times): number => (times.to - times.from) / Math.max(1, canvas.clientWidth - LEFT - RIGHT);
	canvas.addEventListener("pointerdown", (event) => {
		const now = scene();
		if (!now || event.button || event.offsetY < canvas.clientHeight - BOTTOM)
			return;
		from = { x: event.clientX, until: now.times.to };
		canvas.setPointerCapture(event.pointerId);
	});
	canvas.addEventListener("pointermove", (event) => {
		const now = scene();
		canvas.classList.toggle("on-axis", event.offsetY >= canvas.clientHeight - BOTTOM);
		if (from && now && event.buttons)
			now.wishes.moveTo(from.until - (event.clientX - from.x) * perPixel(now.times));
	});
	canvas.addEventListener("pointerup", () => { from = null; });
	canvas.addEventListener("wheel", (event) => {
		const now = scene(), by = event.deltaX || (event.shiftKey ? event.deltaY : 0);
		if (!now || !by)
			return;
		event.preventDefault();
		now.wishes.moveTo(now.times.to + by * perPixel(now.times));
	}, { passive: false });
}

export class Chart {
	readonly canvas = element("canvas", { class: "chart-canvas", tabindex: "0", role: "img" });
	readonly marks = new Marks();
	readonly element = element("div", { class: "chart" }, this.canvas, this.marks.element);
	readonly tooltip = element("div", { class: "tooltip", hidden: "" });
	private scene: Scene | null = null;
	width = 0;
	height = 0;

	/* `words` says what is at a place of the canvas; null: nothing. */
	constructor(private readonly words: (x: number, y: number) => string[] | null) {
		this.element.append(this.tooltip);
		scrollable(this.canvas, () => this.scene);
		this.canvas.addEventListener("pointermove", (event) => this.hover(event));
		this.canvas.addEventListener("pointerleave", () => {
			this.tooltip.hidden = true;
			this.scene?.wishes.point(null);
		});
	}

	private hover(event: PointerEvent): void {
		if (!this.scene)
			return;
		this.scene.wishes.point(this.timeAt(event.offsetX));
		const words = this.words(event.offsetX, event.offsetY);
		this.tooltip.hidden = !words;
		if (words) {
			this.tooltip.replaceChildren(...words.map((line) => element("div", {}, line)));
			placeBeside(this.tooltip, event);
		}
	}

	x(t: number): number {
		return xOf(this.scene!.times, t, this.width);
	}

	timeAt(x: number): number {
		return timeAt(this.scene!.times, x, this.width);
	}

	/* Clean, with axis and marks; null: it has no size yet. */
	begin(scene: Scene, height: number): CanvasRenderingContext2D | null {
		this.scene = scene;
		if (this.canvas.style.height !== `${height}px`)
			this.canvas.style.height = `${height}px`;
		const context = this.canvas.getContext("2d"), scale = window.devicePixelRatio || 1;
		this.width = this.canvas.clientWidth;
		this.height = height;
		if (!context || !this.width)
			return null;
		this.canvas.width = Math.round(this.width * scale);
		this.canvas.height = Math.round(height * scale);
		context.scale(scale, scale);
		context.font = FONT;
		const ink = INKS[scene.isDark ? "dark" : "light"];
		context.fillStyle = ink.paper;
		context.fillRect(LEFT, TOP, this.width - LEFT - RIGHT, height - TOP - BOTTOM);
		this.timeAxis(context, scene.times, ink);
		this.marks.show(scene.times, scene.annotations);
		return context;
	}

	private timeAxis(context: CanvasRenderingContext2D, times: Times, ink: Ink): void {
		const bottom = this.height - BOTTOM;
		context.textAlign = "left";
		for (const t of timeTicks(times.from, times.to, Math.max(1, (this.width - LEFT - RIGHT) / 96), zoneSeconds())) {
			const x = this.x(t);
			context.fillStyle = ink.grid;
			context.fillRect(x, TOP, 1, bottom - TOP);
			context.fillStyle = ink.text;
			context.fillRect(x, bottom, 1, 6);
			if (x < this.width - RIGHT - 50)
				context.fillText(timeOfDay(t), x, bottom + 20);
		}
	}

	/* A name of a row, left of the picture. */
	rowName(context: CanvasRenderingContext2D, name: string, y: number, colour: string): void {
		context.fillStyle = colour;
		context.textAlign = "right";
		context.textBaseline = "middle";
		context.fillText(fitted(name, LEFT - 12, context.measureText("n").width, (text) => context.measureText(text).width), LEFT - 8, y);
		context.textBaseline = "alphabetic";
	}
}

export function placeBeside(tooltip: HTMLElement, event: { clientX: number; clientY: number }): void {
	const { width, height } = tooltip.getBoundingClientRect(), { innerWidth, innerHeight } = window;
	tooltip.style.left = `${event.clientX + 14 + width > innerWidth ? Math.max(0, event.clientX - width - 14) : event.clientX + 14}px`;
	tooltip.style.top = `${event.clientY + 14 + height > innerHeight ? Math.max(0, event.clientY - height - 14) : event.clientY + 14}px`;
}
