// SPDX-License-Identifier: Apache-2.0
/*
 * Lines: for each key a value in each interval.  A histogram counts; an average
 * is a sum by a count.  Where nothing was counted a sum is 0, and anything else
 * is not there.  Before the first column nobody counted, and the last ones may
 * not have come yet.
 */

import { columnsOf, Times } from "./clock";
import { Counted, STRIDE } from "./store";

const LATE = 3;	/* columns */

export interface Series {
	key: number;
	name: string;
	values: Float64Array;	/* NaN: nothing */
	total: number;		/* of what is added up; else the last value */
	last: number;
	most: number;
}

export function isSum(set: Counted): boolean {
	return set.isHistogram || set.info.function === "count" || set.info.function === "sum";
}

/* How several values of an interval become one: stacks of a key, or columns merged. */
function merged(name: string, was: number, value: number): number {
	if (Number.isNaN(was))
		return value;
	return name === "min" ? Math.min(was, value) : name === "max" ? Math.max(was, value) : was + value;
}

export function seriesOf(set: Counted, times: Times, isWanted: (key: number) => boolean = () => true): Series[] {
	const columns = columnsOf(times), made = new Map<number, { sums: Float64Array; counts: Float64Array }>();
	const isAverage = set.info.function === "avg", isAdded = isSum(set);
	const begin = set.columns[0]?.t ?? Infinity, end = Math.max(set.columns[set.columns.length - 1]?.t ?? 0, times.to - LATE * times.step);
	const isKnown = (at: number): boolean => times.from + at * times.step >= begin && times.from + at * times.step <= end;
	for (const { t, cells } of set.between(times.from, times.to)) {
		const at = Math.floor((t - times.from) / times.step);
		for (let i = 0; i < cells.length; i += STRIDE) {
			const key = cells[i];
			if (!isWanted(key))
				continue;
			let one = made.get(key);
			if (!one)
				made.set(key, one = { sums: new Float64Array(columns).fill(NaN), counts: new Float64Array(columns) });
			const value = set.isHistogram || isAverage ? cells[i + 3] : cells[i + 2];
			one.sums[at] = merged(set.info.function, one.sums[at], value);
			one.counts[at] += isAverage ? cells[i + 2] : 1;
		}
	}
	return [...made].map(([key, { sums, counts }]) => {
		const values = sums.map((sum, i) => Number.isNaN(sum) ? isAdded && isKnown(i) ? 0 : NaN : isAverage ? sum / counts[i] : sum);
		let total = 0, last = NaN, most = -Infinity;
		for (const value of values)
			if (!Number.isNaN(value)) {
				total += value;
				last = value;
				most = Math.max(most, value);
			}
		return { key, name: set.keys[key]?.join(", ") ?? "", values, total: isAdded ? total : last, last, most };
	}).sort((a, b) => b.total - a.total || a.key - b.key);
}

/* Those that have a line of their own, and all others as one, if they can be added up. */
export function largest(series: Series[], most: number, canAdd: boolean): Series[] {
	if (series.length <= most)
		return series;
	const rest = series.slice(most - 1);
	if (!canAdd)
		return series.slice(0, most);
	const values = new Float64Array(rest[0].values.length);
	for (const one of rest)
		one.values.forEach((value, i) => { values[i] += value || 0; });
	return [...series.slice(0, most - 1), {
		key: -1, name: `${rest.length} others`, values, total: rest.reduce((sum, one) => sum + one.total, 0),
		last: values[values.length - 1], most: Math.max(...values),
	}];
}

/* The most that an axis has to show; stacked if they are drawn upon each other. */
export function highest(series: readonly Series[]): number {
	return series.reduce((most, one) => Math.max(most, one.most), 0);
}
