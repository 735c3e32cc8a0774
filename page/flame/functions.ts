// SPDX-License-Identifier: Apache-2.0
/*
 * All functions with what they take themselves and with what they call: the
 * way to a function without looking for its frames.
 */

import { button, element } from "../common/dom";
import { change, percent, quantity } from "../common/units";
import { fullName, Profile } from "./data";
import { BASES } from "./state";
import { Tree } from "./tree";

export interface FunctionWeights {
	self: Float64Array;		/* by frame */
	total: Float64Array;		/* what a function calls itself with is counted once */
	beforeSelf: Float64Array | null;
	beforeTotal: Float64Array | null;
}

export function functionWeights(tree: Tree, nframes: number): FunctionWeights {
	const made = (): Float64Array => new Float64Array(nframes);
	const { beforeSelf: selfThen, beforeTotal: totalThen } = tree;
	const weights: FunctionWeights = {
		self: made(), total: made(), beforeSelf: selfThen && made(), beforeTotal: totalThen && made(),
	};
	const covered = new Int32Array(nframes);	/* by frame: nodes before this one are below another of it */
	for (let i = 1; i < tree.length; i++) {
		const frame = tree.frame[i];
		weights.self[frame] += tree.self[i];
		if (weights.beforeSelf && selfThen)
			weights.beforeSelf[frame] += selfThen[i];
		if (i < covered[frame])
			continue;
		covered[frame] = tree.end[i];
		weights.total[frame] += tree.total[i];
		if (weights.beforeTotal && totalThen)
			weights.beforeTotal[frame] += totalThen[i];
	}
	return weights;
}

/* Frames with any weight, the largest first; only those that match, if given. */
export function ranked(weights: FunctionWeights, basis: typeof BASES[number], matches: Uint8Array | null): number[] {
	const after = weights[basis], before = basis === "self" ? weights.beforeSelf : weights.beforeTotal;
	const size = (frame: number): number => Math.max(after[frame], before?.[frame] ?? 0);
	return [...after.keys()].filter((frame) => size(frame) > 0 && (!matches || matches[frame]))
		.sort((a, b) => size(b) - size(a) || a - b);
}

const MOST = 200;

export class FunctionList {
	readonly element: HTMLDetailsElement;
	private readonly body = element("tbody");
	private readonly rest = element("p");
	private readonly sorts: HTMLButtonElement[];
	private basis: typeof BASES[number] = "self";
	private show: (() => void) | null = null;

	constructor(public profile: Profile, private readonly choose: (name: string) => void) {
		const sort = (label: string, basis: typeof BASES[number]): HTMLButtonElement => button(label, "Sort", () => {
			this.basis = basis;
			this.show?.();
		});
		this.sorts = [sort("Itself", "self"), sort("With callees", "total")];
		const head = element("tr", {}, ...this.sorts.map((one) => element("th", { scope: "col" }, one)),
			element("th", { scope: "col" }, "Function"));
		this.element = element("details", { class: "functions" }, element("summary", {}, "Functions"),
			element("div", { class: "list", tabindex: "0" }, element("table", {}, element("thead", {}, head), this.body), this.rest));
		this.element.addEventListener("toggle", () => this.show?.());
	}

	/* Computed only while somebody looks. */
	update(tree: Tree, matches: Uint8Array | null): void {
		this.show = () => {
			if (this.element.open)
				this.fill(tree, matches);
		};
		this.show();
	}

	private fill(tree: Tree, matches: Uint8Array | null): void {
		const { frames } = this.profile;
		const whole = tree.total[0], wholeBefore = tree.beforeTotal?.[0] ?? 0;
		const weights = functionWeights(tree, frames.length);
		const order = ranked(weights, this.basis, matches);
		this.body.replaceChildren(...order.slice(0, MOST).map((frame) => element("tr", {},
			element("td", {}, this.cell(weights.self[frame], weights.beforeSelf?.[frame], whole, wholeBefore)),
			element("td", {}, this.cell(weights.total[frame], weights.beforeTotal?.[frame], whole, wholeBefore)),
			element("td", {}, button(fullName(frames, frame), "Callers and callees", () => this.choose(fullName(frames, frame)))))));
		this.rest.textContent = order.length > MOST ? `and ${order.length - MOST} more: search to find them` : "";
		this.sorts.forEach((one, i) => one.setAttribute("aria-pressed", String((i === 0) === (this.basis === "self"))));
	}

	private cell(after: number, before: number | undefined, whole: number, wholeBefore: number): string {
		const { unit, sides } = this.profile;
		const text = `${quantity(after, unit)}, ${percent(after, whole)}`;
		if (before === undefined)
			return text;
		return text + (sides.areParts ? `; ${percent(before, wholeBefore)} ${sides.before}` : `, ${change(after - before, unit)}`);
	}
}
