// SPDX-License-Identifier: Apache-2.0
/* Conditions as a form: field, operator, value, in rows that "and" or "or" joins. */

import { button, element } from "../common/dom";
import { allOf, anyOf, Condition, conditionsOf, inWords, isNumeric, predicateOf, SIGNS } from "./predicate";
import { Field, Operator, OPERATORS, Predicate } from "./types";

export class Conditions {
	readonly element = element("div", { class: "conditions" });
	private conditions: Condition[] = [];
	private join: "and" | "or" = "and";
	private fixed: Predicate | null = null;		/* what does not fit into rows */

	constructor(private readonly fields: readonly Field[], where: Predicate | null, private readonly changed: () => void) {
		const rows = conditionsOf(where);
		if (rows)
			({ join: this.join, conditions: this.conditions } = rows);
		else
			this.fixed = where;
		this.draw();
	}

	get predicate(): Predicate | null {
		const parts = this.conditions.filter(({ value }) => value !== "").map(predicateOf);
		return allOf(this.fixed, this.join === "and" ? allOf(...parts) : anyOf(...parts));
	}

	private change(): void {
		this.draw();
		this.changed();
	}

	private draw(): void {
		const rows = this.conditions.map((condition, i) => this.row(condition, i));
		if (this.fixed)
			rows.unshift(element("div", { class: "condition-row" }, inWords(this.fixed, this.fields) + " ",
				button("Remove", "forget this condition", () => { this.fixed = null; this.change(); })));
		this.element.replaceChildren(...rows, button(this.conditions.length ? "Another condition" : "Only some events…", "add a condition", () => {
			const field = this.usable()[0];
			if (field) {
				this.conditions.push({ field: field.name, operator: "eq", value: "" });
				this.change();
				this.element.querySelectorAll<HTMLElement>(".condition-row select[name=field]")[this.conditions.length - 1]?.focus();
			}
		}));
	}

	private usable(): Field[] {
		return this.fields.filter(({ type }) => type !== "stack");
	}

	private row(condition: Condition, i: number): HTMLElement {
		const isNumber = isNumeric(this.fields.find(({ name }) => name === condition.field));
		const select = (name: string, values: [string, string][], value: string, set: (value: string) => void): HTMLSelectElement => {
			const made = element("select", { name, "aria-label": name }, ...values.map(([key, label]) => element("option", { value: key }, label)));
			made.value = value;
			made.addEventListener("change", () => { set(made.value); this.change(); });
			return made;
		};
		const value = element("input", { type: "text", name: "value", "aria-label": "value", placeholder: isNumber ? "number, or 5ms, 4k" : "text" });
		value.value = String(condition.value);
		value.addEventListener("input", () => {
			condition.value = isNumber ? readNumber(value.value) : value.value;
			this.changed();
		});
		const operators = OPERATORS.filter((operator) => isNumber || operator === "eq" || operator === "ne");
		return element("div", { class: "condition-row" },
			i ? select("join", [["and", "and"], ["or", "or"]], this.join, (join) => { this.join = join as "and" | "or"; }) : element("span", {}, "where"),
			select("field", this.usable().map(({ name, title }) => [name, title]), condition.field, (field) => { condition.field = field; condition.operator = "eq"; }),
			select("operator", operators.map((operator) => [operator, SIGNS[operator]]), condition.operator, (operator) => { condition.operator = operator as Operator; }),
			value, button("✕", "remove this condition", () => { this.conditions.splice(i, 1); this.change(); }));
	}
}

const FACTORS = new Map(Object.entries({ "": 1, ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9, k: 1024, m: 1024 ** 2, g: 1024 ** 3 }));

/* 5ms is 5,000,000; "" while it is no number. */
export function readNumber(text: string): number | "" {
	const found = /^\s*(-?\d+(?:\.\d+)?)\s*([a-zµ]*)\s*$/i.exec(text), factor = found && FACTORS.get(found[2].toLowerCase());
	return found && factor ? Math.round(Number(found[1]) * factor) : "";
}
