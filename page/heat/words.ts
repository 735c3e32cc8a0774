// SPDX-License-Identifier: Apache-2.0
/* Times, ranges and cells in words. */

import { grouped, hasPrefixes, percent, quantity } from "../common/units";
import { Heat, HeatMap, Row } from "./data";
import { Picture, Quantity, rowAt, sharesAt, valueAt, Window } from "./model";

/* A time in the zone of the traced host. */
export function clock(heat: Heat, map: HeatMap, column: number): string {
	const date = new Date(map.start + column * map.step + heat.zoneSeconds * 1000);
	if (Number.isNaN(date.getTime()))
		return "?";
	const text = date.toISOString();
	if (map.step >= 3600000)
		return text.slice(5, 16).replace("T", " ");
	return text.slice(11, map.step % 1000 ? 23 : 19);
}

/* A bound for an axis, which has room for a dozen characters. */
export function bound(map: HeatMap, row: Row): string {
	if (row.low === null)
		return "≤ " + short(row.high ?? 0, map.valueUnit);
	return (row.high === null ? "≥ " : "") + short(row.low, map.valueUnit);
}

export function short(value: number, unit: string): string {
	const text = quantity(value, unit);
	return text.length <= 11 ? text : value.toExponential(2).replace("+", "").replace(/\.?0+e/, "e");
}

/* Exact bounds, both of them; large ones also as people say them. */
export function range(map: HeatMap, row: Row): string {
	const unit = map.valueUnit ? " " + map.valueUnit : "";
	const said = [row.low, row.high].filter((value): value is number => value !== null && Math.abs(value) >= 10000)
		.map((value) => quantity(value, map.valueUnit));
	const also = said.length && hasPrefixes(map.valueUnit) ? ` (${[...new Set(said)].join(" to ")})` : "";
	if (row.low === null)
		return `up to ${row.highText}${unit}${also}`;
	if (row.high === null)
		return `${row.lowText}${unit} and more${also}`;
	return (row.low === row.high ? row.lowText + unit : `${row.lowText} to ${row.highText}${unit}`) + also;
}

/*
 * Buckets know how many values they have, not which: a sum is exact where a row
 * has one value only; else its bounds are, and what is shown is their middle.
 */
function sumWords(map: HeatMap, row: Row, count: number, value: number): string {
	const about = quantity(value, map.valueUnit);
	if (row.low !== null && row.low === row.high || !count)
		return `${about} in all`;
	const [least, most] = [row.low, row.high].map((bound) => bound === null ? null : quantity(count * bound, map.valueUnit));
	const bounds = least === null ? `at most ${most}` : most === null ? `at least ${least}` : `${least} to ${most}`;
	return `about ${about} in all (${bounds})`;
}

/* A rectangle: when, and which values. */
export function areaWords(heat: Heat, map: HeatMap, area: Window): string {
	const { low, lowText } = map.rows[area.firstRow], { high, highText } = map.rows[area.lastRow];
	return `${clock(heat, map, area.firstColumn)} to ${clock(heat, map, area.lastColumn + 1)} ${heat.zone}, ` +
		range(map, { low, lowText, high, highText });
}

export function cellWords(heat: Heat, picture: Picture, column: number, row: number, what: Quantity): string[] {
	const { map, window } = picture;
	const first = window.firstColumn + column * picture.columnWidth;
	const { share, upTo } = sharesAt(picture, column, row);
	const value = valueAt(picture, column, row), count = picture.cells[column * picture.rows + row];
	return [
		`${clock(heat, map, first)} to ${clock(heat, map, Math.min(first + picture.columnWidth, window.lastColumn + 1))} ${heat.zone}`,
		range(map, rowAt(picture, row)),
		...(what === "sum" ? [sumWords(map, rowAt(picture, row), count, value)] : []),
		`${grouped(count)} ${map.countUnit}`,
		`${percent(share, 1)} of the column`,
		`${percent(upTo, 1)} up to here`,
	];
}
