// SPDX-License-Identifier: Apache-2.0
/*
 * What is selected: a cell, or a rectangle that was dragged.
 *
 * Places are cells of the picture, which may stand for several of the map.  What
 * is kept is a rectangle of the map, so that it stays where it is when somebody
 * zooms.
 */

import { HeatMap } from "./data";
import { Picture, wholeWindow, Window } from "./model";

export interface Place {
	column: number;
	row: number;
}

/* The cells of the map between two places, both included. */
export function areaOf(picture: Picture, from: Place, to = from): Window {
	const { window, columnWidth, rowHeight } = picture;
	const side = (a: number, b: number, first: number, size: number, last: number): [number, number] =>
		[first + Math.min(a, b) * size, Math.min(first + (Math.max(a, b) + 1) * size - 1, last)];
	const [firstColumn, lastColumn] = side(from.column, to.column, window.firstColumn, columnWidth, window.lastColumn);
	const [firstRow, lastRow] = side(from.row, to.row, window.firstRow, rowHeight, window.lastRow);
	return { firstColumn, lastColumn, firstRow, lastRow };
}

/* Its corners in the picture, as far as they are in the window; null: it is outside. */
export function cornersOf(picture: Picture, area: Window): [Place, Place] | null {
	const { window, columnWidth, rowHeight } = picture;
	const place = (column: number, row: number): Place => ({
		column: Math.floor((column - window.firstColumn) / columnWidth), row: Math.floor((row - window.firstRow) / rowHeight),
	});
	const firstColumn = Math.max(area.firstColumn, window.firstColumn), lastColumn = Math.min(area.lastColumn, window.lastColumn);
	const firstRow = Math.max(area.firstRow, window.firstRow), lastRow = Math.min(area.lastRow, window.lastRow);
	return firstColumn > lastColumn || firstRow > lastRow ? null : [place(firstColumn, firstRow), place(lastColumn, lastRow)];
}

/* For the URL: "1.3.0.2", columns first. */
export function writeArea({ firstColumn, lastColumn, firstRow, lastRow }: Window): string {
	return [firstColumn, lastColumn, firstRow, lastRow].join(".");
}

/* null: none, or nonsense. */
export function readArea(text: string, map: HeatMap): Window | null {
	const numbers = text ? text.split(".").map(Number) : [];
	const [firstColumn, lastColumn, firstRow, lastRow] = numbers, whole = wholeWindow(map);
	const isGood = numbers.length === 4 && numbers.every((number) => Number.isInteger(number) && number >= 0) &&
		firstColumn <= lastColumn && lastColumn <= whole.lastColumn && firstRow <= lastRow && lastRow <= whole.lastRow;
	return isGood ? { firstColumn, lastColumn, firstRow, lastRow } : null;
}
