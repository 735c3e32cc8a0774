// SPDX-License-Identifier: Apache-2.0
/*
 * Conditions of metrics, and how a click extends them: "instrument only this"
 * is what was asked before, and that the fields have the values of the key, and
 * that the value is in the range of the rows.
 */

import { Field, Instrumentation, Operator, OPERATORS, Predicate, SetInfo, Word } from "./types";

export interface Condition {
	field: string;
	operator: Operator;
	value: Word;
}

export function predicateOf({ field, operator, value }: Condition): Predicate {
	return { [operator]: [field, value] };
}

export function isEmpty(predicate: Predicate | null | undefined): boolean {
	return !predicate || !Object.keys(predicate).length;
}

/* All of them; null: no condition.  What is there already is not said twice. */
export function allOf(...parts: (Predicate | null | undefined)[]): Predicate | null {
	const flat: Predicate[] = [];
	for (const part of parts) {
		if (!part || isEmpty(part))
			continue;
		for (const one of part.and ?? [part])
			if (!flat.some((other) => JSON.stringify(other) === JSON.stringify(one)))
				flat.push(one);
	}
	return flat.length > 1 ? { and: flat } : flat[0] ?? null;
}

export function anyOf(...parts: Predicate[]): Predicate | null {
	return parts.length > 1 ? { or: parts } : parts[0] ?? null;
}

/* As rows of a form: conditions, joined by one word.  null: it does not fit into that. */
export function conditionsOf(predicate: Predicate | null): { join: "and" | "or"; conditions: Condition[] } | null {
	if (!predicate || isEmpty(predicate))
		return { join: "and", conditions: [] };
	const join = predicate.or ? "or" : "and", conditions: Condition[] = [];
	for (const part of predicate.or ?? predicate.and ?? [predicate]) {
		const operator = OPERATORS.find((name) => part[name]);
		if (!operator)
			return null;
		const [field, value] = part[operator]!;
		conditions.push({ field, operator, value });
	}
	return { join, conditions };
}

export const SIGNS: Record<Operator, string> = { eq: "=", ne: "≠", lt: "<", le: "≤", gt: ">", ge: "≥" };

export function inWords(predicate: Predicate | null, fields: readonly Field[]): string {
	if (!predicate || isEmpty(predicate))
		return "";
	const parts = predicate.and ?? predicate.or;
	if (parts)
		return parts.map((part) => part.and || part.or ? `(${inWords(part, fields)})` : inWords(part, fields)).join(predicate.and ? " and " : " or ");
	const operator = OPERATORS.find((name) => predicate[name]);
	if (!operator)
		return "?";
	const [field, value] = predicate[operator]!;
	return `${fields.find(({ name }) => name === field)?.title ?? field} ${SIGNS[operator]} ${value}`;
}

/* The fields of a set's keys, and the one that its rows are about. */
export function fieldsOf(info: Instrumentation, set: SetInfo): { keys: (Field | null)[]; value: Field | null } {
	const named = (name: string): Field | null => info.fields.find((field) => field.name === name || field.title === name) ?? null;
	const by = info.by.map(named).filter((field): field is Field => field !== null && field.type !== "stack");
	const isHistogram = set.kind === "histogram";
	const value = isHistogram ? by.find((field) => field.type === "number" && !set.keyNames.includes(field.name)) ?? null : null;
	const others = by.filter((field) => field !== value), labels = info.fleet?.aggby.length ?? 0;
	/* labels that keep hosts apart come first, and are no fields */
	return { keys: set.keyNames.map((name, i) => i < labels ? null : named(name) ?? others[i - labels] ?? null), value };
}

export function isNumeric(field: Field | undefined): boolean {
	return field?.type === "number" || field?.type === "integer";
}

function valueFor(field: Field, word: string): Word {
	return isNumeric(field) && word !== "" && Number.isFinite(Number(word)) ? Number(word) : word;
}

export interface Selected {
	keys: readonly string[][];			/* any of them; none: whatever the key is */
	low: number | null;
	high: number | null;
}

/* null: nothing of the selection can be said in fields of the metric. */
export function onlyThis(info: Instrumentation, set: SetInfo, selected: Selected): Predicate | null {
	const { keys, value } = fieldsOf(info, set), range: Predicate[] = [];
	const each = selected.keys.map((words) => allOf(...words.map((word, i) => {
		const field = keys[i];
		return field && predicateOf({ field: field.name, operator: "eq", value: valueFor(field, word) });
	}))).filter((part): part is Predicate => part !== null);
	if (value && selected.low !== null)
		range.push(predicateOf({ field: value.name, operator: "ge", value: selected.low }));
	if (value && selected.high !== null)
		range.push(predicateOf({ field: value.name, operator: "le", value: selected.high }));
	const part = allOf(anyOf(...each), ...range);
	return part && allOf(info.where, part);
}
