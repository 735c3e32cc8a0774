// SPDX-License-Identifier: Apache-2.0
/*
 * How busy each of several like things is: a row for each key (CPUs, disks), a
 * cell for each interval, from 0 to 1, which is `full`.
 */

import { Series, seriesOf } from "./series";
import { Times } from "./clock";
import { Counted } from "./store";

export interface Utilization {
	rows: { key: number; name: string; shares: Float64Array; values: Float64Array; last: number }[];
	full: number;
	isGuessed: boolean;	/* nobody said what full is: it is the largest value seen */
}

/* cpu2 before cpu10. */
export function inOrder(a: string, b: string): number {
	return a.localeCompare(b, "en", { numeric: true });
}

export function utilizationOf(set: Counted, times: Times, full: number | null): Utilization {
	const series: Series[] = seriesOf(set, times).sort((a, b) => inOrder(a.name, b.name));
	const most = series.reduce((all, one) => Math.max(all, one.most), 0), whole = full ?? (most || 1);
	return {
		full: whole, isGuessed: full === null,
		rows: series.map(({ key, name, values }) => {
			const shares = values.map((value) => Number.isNaN(value) ? NaN : Math.max(0, value / whole));
			return { key, name, shares, values, last: shares[shares.length - 1] };
		}),
	};
}
