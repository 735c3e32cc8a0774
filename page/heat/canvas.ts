// SPDX-License-Identifier: Apache-2.0
/* Draws a picture into a canvas: cells, axes, lines, the cell at hand. */

import { css, Rgb } from "../common/colour";
import { axisTicks, timeTicks } from "./axis";
import { Heat } from "./data";
import { averages, countKeys, isChosen, isWithin, levels, percentileRows, Picture, placeOf, rowEdges } from "./model";
import { areaOf, Place } from "./selection";
import { colourOf, highlighted } from "./palette";
import { choiceOf, readKeys, State } from "./state";
import { clock } from "./words";

export const LEFT = 88, RIGHT = 12, TOP = 10, BOTTOM = 28;
const FONT = "12px system-ui, sans-serif";

export interface Brush {
	from: Place;
	to: Place;
}

interface Ink {
	paper: string;
	text: string;
	line: string;
	mark: string;
}

const INKS: Record<"light" | "dark", Ink> = {
	light: { paper: "#f6f6f6", text: "#1c1c1c", line: "#c00000", mark: "#c00000" },
	dark: { paper: "#0b0c0e", text: "#ececec", line: "#ff8a80", mark: "#ffffff" },
};

/* Colours of all cells; with highlighted keys by what they contribute. */
function cellColours(picture: Picture, state: State, isDark: boolean): (Rgb | null)[] {
	const level = levels(picture, state.colour);
	const hues = readKeys(state.hue);
	if (!hues.length)
		return Array.from(level, (value) => Number.isNaN(value) ? null : colourOf(state.palette, value, isDark));
	return Array.from(level, (value, at) => {
		if (Number.isNaN(value))
			return null;
		const column = Math.floor(at / picture.rows), row = at % picture.rows;
		const counts = countOf(picture, column, row, state);
		return highlighted(hues.map((key) => counts.all ? (counts.keys.get(key) ?? 0) / counts.all : 0), value, isDark);
	});
}

/* By cell, because asking for each cell would walk over all of them each time. */
let known: { picture: Picture; choice: string; cells: Map<number, Map<number, number>> } | undefined;

function countOf(picture: Picture, column: number, row: number, state: State): { keys: Map<number, number>; all: number } {
	const choice = state.only + "|" + state.without;
	if (known?.picture !== picture || known.choice !== choice) {
		known = { picture, choice, cells: new Map() };
		const { map, window } = picture, chosen = choiceOf(state);
		for (let i = 0; i < map.count.length; i++) {
			if (!isWithin(window, map.column[i], map.row[i]) || !isChosen(chosen, map.key[i]))
				continue;
			const at = Math.floor((map.column[i] - window.firstColumn) / picture.columnWidth) * picture.rows +
				Math.floor((map.row[i] - window.firstRow) / picture.rowHeight);
			const cell = known.cells.get(at) ?? new Map<number, number>();
			cell.set(map.key[i], (cell.get(map.key[i]) ?? 0) + map.count[i]);
			known.cells.set(at, cell);
		}
	}
	const keys = known.cells.get(column * picture.rows + row) ?? countKeys(picture.map, areaOf(picture, { column, row }));
	return { keys, all: Array.from(keys.values()).reduce((a, b) => a + b, 0) };
}

export class HeatCanvas {
	readonly canvas: HTMLCanvasElement;
	private picture?: Picture;
	private edges: Float64Array = new Float64Array();
	private width = 0;
	private height = 0;

	constructor(private readonly heat: Heat) {
		this.canvas = document.createElement("canvas");
	}

	columnsThatFit(): number {
		return Math.max(1, Math.floor((this.canvas.clientWidth - LEFT - RIGHT) / 2));
	}

	rowsThatFit(): number {
		return Math.max(1, Math.floor((this.canvas.clientHeight - TOP - BOTTOM) / 2));
	}

	private x(column: number): number {
		return LEFT + column / (this.picture?.columns ?? 1) * this.width;
	}

	/* Of a place from 0 (the bottom) to 1. */
	private y(place: number): number {
		return TOP + (1 - place) * this.height;
	}

	/* The cell at a point of the canvas. */
	at(x: number, y: number): Place | null {
		if (!this.picture)
			return null;
		const column = Math.floor((x - LEFT) / this.width * this.picture.columns);
		const place = 1 - (y - TOP) / this.height;
		if (column < 0 || column >= this.picture.columns || place < 0 || place > 1)
			return null;
		let row = 0;
		while (row + 1 < this.picture.rows && this.edges[row + 1] <= place)
			row++;
		return { column, row };
	}

	/* Where a cell is, in pixels of the canvas. */
	box(cell: Place): { x: number; y: number; width: number; height: number } {
		const x = this.x(cell.column), y = this.y(this.edges[cell.row + 1]);
		return { x, y, width: this.x(cell.column + 1) - x, height: this.y(this.edges[cell.row]) - y };
	}

	draw(picture: Picture, state: State, isDark: boolean, at: Place | null, brush: Brush | null): void {
		const context = this.canvas.getContext("2d");
		if (!context)
			return;
		const scale = window.devicePixelRatio || 1;
		this.canvas.width = Math.round(this.canvas.clientWidth * scale);
		this.canvas.height = Math.round(this.canvas.clientHeight * scale);
		context.scale(scale, scale);
		this.picture = picture;
		this.edges = rowEdges(picture, state.height);
		this.width = this.canvas.clientWidth - LEFT - RIGHT;
		this.height = this.canvas.clientHeight - TOP - BOTTOM;
		const ink = INKS[isDark ? "dark" : "light"];
		context.fillStyle = ink.paper;
		context.fillRect(LEFT, TOP, this.width, this.height);
		this.drawCells(context, picture, cellColours(picture, state, isDark));
		this.drawLines(context, picture, state, ink);
		this.drawAxes(context, picture, state, ink);
		this.drawMarks(context, ink, at, brush);
	}

	private drawCells(context: CanvasRenderingContext2D, picture: Picture, colours: (Rgb | null)[]): void {
		colours.forEach((colour, i) => {
			if (!colour)
				return;
			const { x, y, width, height } = this.box({ column: Math.floor(i / picture.rows), row: i % picture.rows });
			context.fillStyle = css(colour);
			/* a little more, so that no paper shows between cells */
			context.fillRect(x, y, Math.max(width, 1) + 0.3, Math.max(height, 1) + 0.3);
		});
	}

	private drawLines(context: CanvasRenderingContext2D, picture: Picture, state: State, ink: Ink): void {
		if (picture.map.scale === "offset")
			return;
		const middles = (rows: Int32Array): Float64Array =>
			Float64Array.from(rows, (row) => row < 0 ? NaN : (this.edges[row] + this.edges[row + 1]) / 2);
		const lines: [boolean, () => Float64Array, number[]][] = [
			[state.p50, () => middles(percentileRows(picture, 0.5)), []],
			[state.p90, () => middles(percentileRows(picture, 0.9)), [7, 3]],
			[state.p99, () => middles(percentileRows(picture, 0.99)), [2, 2]],
			[state.average, () => averages(picture).map((value) => placeOf(picture, this.edges, value)), [8, 3, 2, 3]],
		];
		for (const [isOn, places, dash] of lines)
			if (isOn)
				this.drawLine(context, places(), dash, ink);
	}

	private drawLine(context: CanvasRenderingContext2D, places: Float64Array, dash: number[], ink: Ink): void {
		let isDown = false;
		context.beginPath();
		places.forEach((place, column) => {
			if (!Number.isNaN(place)) {
				const y = this.y(place);
				if (isDown)
					context.lineTo(this.x(column), y);
				else
					context.moveTo(this.x(column), y);
				context.lineTo(this.x(column + 1), y);
			}
			isDown = !Number.isNaN(place);
		});
		context.setLineDash(dash);
		for (const [colour, width] of [[ink.paper, 3.5], [ink.line, 1.5]] as const) {
			context.strokeStyle = colour;
			context.lineWidth = width;
			context.stroke();
		}
		context.setLineDash([]);
	}

	private drawAxes(context: CanvasRenderingContext2D, picture: Picture, state: State, ink: Ink): void {
		context.font = FONT;
		context.fillStyle = ink.text;
		context.textAlign = "right";
		context.textBaseline = "alphabetic";
		for (const { place, text } of axisTicks(picture, this.edges, state.height, this.height)) {
			const y = this.y(place);
			/* beside its line, as far as the canvas goes */
			context.fillText(text, LEFT - 8, Math.max(y + 4, TOP + 2));
			context.fillRect(LEFT - 5, y - 0.5, 5, 1);
		}
		context.textAlign = "left";
		const { map, window, columnWidth } = picture, time = (column: number): number => map.start + column * map.step;
		const begin = time(window.firstColumn), end = time(window.firstColumn + picture.columns * columnWidth);
		for (const t of timeTicks(begin, end, Math.max(1, this.width / 96), this.heat.zoneSeconds, map.step)) {
			const x = LEFT + (t - begin) / (end - begin) * this.width;
			context.fillRect(x, TOP + this.height, 1, 6);
			if (x < LEFT + this.width - 60)
				context.fillText(clock(this.heat, map, (t - map.start) / map.step), x, TOP + this.height + 20);
		}
	}

	private drawMarks(context: CanvasRenderingContext2D, ink: Ink, at: Place | null, brush: Brush | null): void {
		context.strokeStyle = ink.mark;
		context.lineWidth = 2;
		if (at) {
			const { x, y, width, height } = this.box(at);
			context.strokeRect(x - 1, y - 1, width + 2, height + 2);
		}
		if (brush) {
			const a = this.box(brush.from), b = this.box(brush.to);
			const x = Math.min(a.x, b.x), y = Math.min(a.y, b.y);
			const width = Math.max(a.x + a.width, b.x + b.width) - x, height = Math.max(a.y + a.height, b.y + b.height) - y;
			/* on a line of paper, so that it is seen on cells of any colour */
			context.strokeStyle = ink.paper;
			context.lineWidth = 5;
			context.strokeRect(x, y, width, height);
			context.strokeStyle = ink.mark;
			context.lineWidth = 2;
			context.setLineDash([6, 3]);
			context.strokeRect(x, y, width, height);
			context.setLineDash([]);
		}
	}
}
