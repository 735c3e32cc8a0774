// SPDX-License-Identifier: Apache-2.0
/* Where lines and words of an axis of values go: at round ones. */

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
