// SPDX-License-Identifier: Apache-2.0
/*
 * Hosts are chosen by their labels: role=db|cache,site!=ulm,canary,!old,host=web*.
 * All parts must hold.  Agents and heads decide (fleet/labels.h); the page says
 * beforehand what they will say.
 */

export type Labels = Record<string, string>;

/* A pattern of a shell: *, ? and [a-z]. */
function fits(pattern: string, value: string): boolean {
	const source = pattern.replace(/\[!/g, "[^").replace(/[.+^${}()|\\]/g, (sign, at: number) =>
		sign === "^" && pattern[at - 1] === "[" ? "^" : "\\" + sign).replace(/\*/g, ".*").replace(/\?/g, ".");
	try {
		return new RegExp(`^${source}$`, "s").test(value);
	} catch {
		return pattern === value;
	}
}

function holds(condition: string, labels: Labels): boolean {
	const equals = condition.indexOf("=");
	if (equals < 0) {
		const isNegated = condition.startsWith("!");
		return (condition.slice(isNegated ? 1 : 0) in labels) !== isNegated;
	}
	const isNegated = condition[equals - 1] === "!", value = labels[condition.slice(0, isNegated ? equals - 1 : equals)];
	const isOne = value !== undefined && condition.slice(equals + 1).split("|").filter(Boolean).some((pattern) => fits(pattern, value));
	return isOne !== isNegated;
}

export function matches(expression: string, labels: Labels): boolean {
	return expression.split(/[, ]+/).filter((word) => word && word !== "*").every((word) => holds(word, labels));
}

/* Names of labels and the values that there are, the most frequent first; not those that are each host's own. */
export function valuesOf(hosts: readonly Labels[]): Map<string, string[]> {
	const found = new Map<string, Map<string, number>>();
	for (const labels of hosts)
		for (const [name, value] of Object.entries(labels)) {
			const values = found.get(name) ?? new Map<string, number>();
			values.set(value, (values.get(value) ?? 0) + 1);
			found.set(name, values);
		}
	return new Map([...found].filter(([name]) => name !== "host").sort(([a], [b]) => a < b ? -1 : 1)
		.map(([name, values]) => [name, [...values].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([value]) => value)]));
}

/* Words of keys that keep hosts apart, as a condition; "": it cannot be said as one. */
export function chosenBy(names: readonly string[], keys: readonly (readonly string[])[]): string {
	const conditions = names.map((name, i) => {
		const values = [...new Set(keys.map((words) => words[i] ?? ""))];
		if (!values.length || values.some((value) => /[|,=*?[\] \\]/.test(value)))
			return "";
		if (values.includes(""))
			return values.length === 1 ? "!" + name : "";
		return `${name}=${values.join("|")}`;
	});
	return conditions.filter(Boolean).join(",");
}

/* Both must hold. */
export function both(a: string, b: string): string {
	return [a, b].filter((one) => one && one !== "*").join(",") || "*";
}
