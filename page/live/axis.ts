// SPDX-License-Identifier: Apache-2.0
/* Where lines and words of axes go: round values, round times. */

const BINARY = 1024;

/* The highest of an axis is a round value, too; values are given in their unit. */
export function valueTicks(most: number, unit: string, wanted = 4): number[] {
	if (!(most > 0))
		return [0, 1];
	const rough = most / wanted;
	const base = unit === "bytes" ? BINARY ** Math.floor(Math.log(Math.max(rough, 1)) / Math.log(BINARY)) : 1;
	const power = 10 ** Math.floor(Math.log10(rough / base));
	const step = base * power * ([1, 2, 5, 10].find((factor) => factor * power * base >= rough) ?? 10);
	return Array.from({ length: Math.ceil(most / step - 1e-9) + 1 }, (_, i) => i * step);
}

const SECONDS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600, 86400];

/* Times of day that are round where the reader is; at most so many. */
export function timeTicks(from: number, to: number, most: number, zoneSeconds: number): number[] {
	const step = 1000 * (SECONDS.find((seconds) => (to - from) / (seconds * 1000) <= most) ?? 86400);
	const zone = zoneSeconds * 1000, ticks: number[] = [];
	for (let t = Math.ceil((from + zone) / step) * step - zone; t <= to; t += step)
		ticks.push(t);
	return ticks;
}
