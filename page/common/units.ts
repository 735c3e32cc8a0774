// SPDX-License-Identifier: Apache-2.0
/* Numbers for people: 1,234 samples, 1.23 ms, 4.5 MiB, 12.3%. */

const STEPS: Record<string, [number, string][]> = {
	ns: [[6e10, "min"], [1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]],
	us: [[6e7, "min"], [1e6, "s"], [1e3, "ms"], [1, "µs"]],
	ms: [[6e4, "min"], [1e3, "s"], [1, "ms"]],
	bytes: [[2 ** 40, "TiB"], [2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"], [1, "bytes"]],
};

export function grouped(value: number): string {
	const [whole, part] = String(Math.abs(value)).split(".");
	const text = whole.replace(/\B(?=(\d{3})+$)/g, ",");
	return (value < 0 ? "-" : "") + text + (part === undefined ? "" : "." + part);
}

/* Is a large value of this unit said in another one? */
export function hasPrefixes(unit: string): boolean {
	return Object.prototype.hasOwnProperty.call(STEPS, unit);
}

/* A value with its unit; scaled if the unit has larger ones. */
export function quantity(value: number, unit: string): string {
	const steps = STEPS[unit];
	if (!steps)
		return grouped(Math.round(value * 100) / 100) + (unit ? " " + unit : "");
	const size = Math.abs(value);
	const [step, name] = steps.find(([least]) => size >= least) ?? steps[steps.length - 1];
	const scaled = value / step;
	const digits = step === 1 || Math.abs(scaled) >= 100 ? 0 : Math.abs(scaled) >= 10 ? 1 : 2;
	return grouped(Number(scaled.toFixed(digits))) + " " + name;
}

/* The same, with a sign: a change. */
export function change(value: number, unit: string): string {
	return (value > 0 ? "+" : "") + quantity(value, unit);
}

export function percent(part: number, whole: number): string {
	if (!whole)
		return "0%";
	const share = 100 * part / whole;
	return (share === 0 || share === 100 ? share : Math.abs(share) < 0.01 ? "<0.01" : share.toFixed(2)) + "%";
}
