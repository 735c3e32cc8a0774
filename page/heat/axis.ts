// SPDX-License-Identifier: Apache-2.0
/*
 * What the axes say: round times, and round values, where they are in the rows.
 *
 * Rows begin where the aggregation has put them, for example at 1048576 ns;
 * people look for 1 ms.  Of several series of values, from coarse to fine, the
 * finest is taken that has room for its words.  Where none has two values in
 * the window the bounds of rows are said, as rows without a bound always are.
 */

import { Height, Picture, placeOf, rowAt } from "./model";
import { bound, short } from "./words";

const ROOM = 18;	/* pixels from one word to the next */
const TOO_MANY = 400;	/* values of a series; pictures have fewer pixels for them */

export interface Tick {
	place: number;	/* from 0 (the bottom) to 1 */
	text: string;
}

/* Logarithmic: what is round within one step of a power, and that power. */
const DECIMAL: [number, number[]][] = [[1000, [1]], [10, [1]], [10, [1, 2, 5]]];
const BINARY: [number, number[]][] = [[1048576, [1]], [1024, [1]], [1024, [1, 32]], [1024, [1, 4, 16, 64, 256]], [1024, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]]];

/* A minute in this unit; above it times are not decimal. */
const MINUTES: Record<string, number> = { ns: 6e10, us: 6e7, ms: 6e4 };

function powers(most: number, unit: string, [power, factors]: [number, number[]]): number[] {
	const minute = MINUTES[unit] ?? Infinity, values: number[] = [];
	for (const [from, to] of [[1, Math.min(most, minute - 1)], [minute, most]])
		for (let size = from; size <= to; size *= power)
			values.push(...factors.map((factor) => size * factor).filter((value) => value <= to));
	return values;
}

/* Values of both signs and zero, as far as the rows go. */
function logarithmic(low: number, high: number, unit: string): number[][] {
	const most = Math.max(Math.abs(low), Math.abs(high));
	return (unit === "bytes" ? BINARY : DECIMAL).map((kind) => {
		const values = powers(most, unit, kind);
		return [...values.map((value) => -value).reverse(), 0, ...values].filter((value) => value >= low && value <= high);
	});
}

function linear(low: number, high: number, unit: string): number[][] {
	const found: number[][] = [], minute = MINUTES[unit] ?? Infinity;
	for (const parts of [2, 4, 8, 16, 32]) {
		const rough = (high - low) / parts;
		const base = unit === "bytes" ? 1024 ** Math.max(0, Math.floor(Math.log(rough) / Math.log(1024))) : rough > minute / 3 ? minute : 1;
		const power = 10 ** Math.floor(Math.log10(rough / base));
		const step = Math.max(1, base * power * ([1, 2, 5, 10].find((factor) => factor * power * base >= rough * 0.999) ?? 10));
		const first = Math.ceil(low / step), count = Math.floor(high / step) - first + 1;
		if (count > 0 && count <= TOO_MANY)
			found.push(Array.from({ length: count }, (_, i) => (first + i) * step));
	}
	return found;
}

function hasRoom(ticks: readonly Tick[], room: number): boolean {
	return ticks.every(({ place }, i) => i === 0 || place - ticks[i - 1].place >= room);
}

/* Rows without a bound, and where one must do all rows: as many as there is room for. */
function boundTicks(picture: Picture, edges: Float64Array, room: number, isWanted: (row: number) => boolean): Tick[] {
	const ticks: Tick[] = [];
	for (let row = 0; row < picture.rows; row++)
		if (isWanted(row) && (!ticks.length || edges[row] - ticks[ticks.length - 1].place >= room))
			ticks.push({ place: edges[row], text: bound(picture.map, rowAt(picture, row)) });
	return ticks;
}

export function axisTicks(picture: Picture, edges: Float64Array, height: Height, pixels: number): Tick[] {
	const { map } = picture, room = ROOM / Math.max(1, pixels);
	const open = boundTicks(picture, edges, room, (row) => rowAt(picture, row).low === null || rowAt(picture, row).high === null);
	const rows = Array.from({ length: picture.rows }, (_, row) => rowAt(picture, row)).filter(({ low, high }) => low !== null && high !== null);
	if (rows.length) {
		const low = rows[0].low!, high = rows[rows.length - 1].high! + 1, isTopOpen = rowAt(picture, picture.rows - 1).high === null;
		const place = (value: number): number => value === high && !isTopOpen ? edges[picture.rows] : placeOf(picture, edges, value);
		const isLinear = height === "linear" || height === "rows" && map.scale !== "log";
		const series = (isLinear ? linear : logarithmic)(low, high, map.valueUnit)
			.map((values) => values.map((value) => ({ place: place(value), text: short(value, map.valueUnit) }))
				.filter(({ place }) => !Number.isNaN(place) && open.every((other) => Math.abs(other.place - place) >= room)));
		const best = series.reverse().find((ticks) => ticks.length > 1 && hasRoom(ticks, room));
		if (best)
			return [...best, ...open].sort((a, b) => a.place - b.place);
	}
	return boundTicks(picture, edges, room, () => true);
}

const SECONDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400];

/* Times of day that are round where the reader is, in steps of `least` ms and more; at most so many, but one. */
export function timeTicks(from: number, to: number, most: number, zoneSeconds: number, least = 1000): number[] {
	const days = 86400 * Math.max(1, Math.ceil((to - from) / 86400000 / most));
	const step = 1000 * (SECONDS.find((seconds) => 1000 * seconds >= least && (to - from) / (seconds * 1000) <= most) ?? days);
	const zone = zoneSeconds * 1000, first = Math.ceil((from + zone) / step), ticks: number[] = [];
	for (let i = 0; i <= most && (first + i) * step - zone <= to; i++)
		ticks.push((first + i) * step - zone);
	return ticks;
}
