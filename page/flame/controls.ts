// SPDX-License-Identifier: Apache-2.0
/*
 * What a user can choose, above the graph.  Each control is one member of the
 * state; the table says how it looks.  Controls have labels, so that they are
 * reached and understood without a mouse.
 */

import { button, element, setText } from "../common/dom";
import { Profile } from "./data";
import { Sides } from "./sides";
import { BASES, MERGES, ORDERS, SHAPES, State } from "./state";
import { PALETTES } from "./palette";
import { WIDTHS } from "./tree";

export interface Commands {
	set(change: Partial<State>): void;
	reset(): void;
	saveSvg(): void;
	saveFolded(): void;
}

type Control = HTMLInputElement | HTMLSelectElement;

interface Row {
	name: keyof State;
	label: string;
	title: string;
	where: "bar" | "more" | "difference";
	choices?: readonly (readonly [string, string])[];
	kind?: "search" | "text" | "number" | "checkbox";
}

function choices<Value extends string>(values: readonly Value[], labels: Record<Value, string>): [string, string][] {
	return values.map((value) => [value, labels[value]]);
}

const ROWS: Row[] = [
	{ name: "search", label: "Search", title: "A regular expression; / or Ctrl-F", where: "bar", kind: "search" },
	{ name: "shape", label: "Shape", title: "Where the root is", where: "bar",
		choices: choices(SHAPES, { flame: "flame", icicle: "icicle" }) },
	{ name: "merge", label: "Merge", title: "Where stacks begin to be the same", where: "bar",
		choices: choices(MERGES, { root: "from the root", leaf: "from the leaf", function: "around a function" }) },
	{ name: "colour", label: "Colour", title: "What colours stand for", where: "bar",
		choices: choices(PALETTES, { warm: "warm", module: "by module", kind: "by kind", name: "by name", difference: "difference" }) },
	{ name: "basis", label: "Compare", title: "What the colours of a difference compare", where: "difference",
		choices: choices(BASES, { total: "totals", self: "functions themselves" }) },
	{ name: "width", label: "Width", title: "What widths stand for; vanished paths have none after", where: "difference",
		choices: choices(WIDTHS, { larger: "larger of both", after: "after", before: "before" }) },
	{ name: "scale", label: "Equal lengths", title: "Take both profiles as equally long", where: "difference", kind: "checkbox" },
	{ name: "focus", label: "Focus", title: "Only stacks with a frame that matches", where: "more", kind: "text" },
	{ name: "ignore", label: "Ignore", title: "No stacks with a frame that matches", where: "more", kind: "text" },
	{ name: "collapse", label: "Collapse recursion", title: "A function that calls itself is one frame", where: "more", kind: "checkbox" },
	{ name: "order", label: "Order", title: "Of frames side by side", where: "more",
		choices: choices(ORDERS, { name: "by name", weight: "widest first" }) },
	{ name: "least", label: "Minimum width", title: "Narrower frames are not shown one by one (pixels)", where: "more", kind: "number" },
];

const TYPING = 150;	/* ms without a key until a text counts */

export class Controls {
	readonly element: HTMLElement;
	private readonly controls = new Map<keyof State, Control>();
	private readonly result = element("output", { class: "result", "aria-live": "polite" });
	private readonly resetButton: HTMLButtonElement;

	constructor({ isDifference, sides }: Profile, private readonly commands: Commands) {
		const bar = element("div", { class: "bar" }), more = element("div", { class: "bar" });
		for (const row of ROWS) {
			if (row.where === "difference" && !isDifference)
				continue;
			(row.where === "more" ? more : bar).append(this.make(row, isDifference, sides));
			if (row.name === "search")
				bar.append(this.result);
		}
		this.resetButton = button("Reset", "The zoom first, then the function, then the search; Escape", () => commands.reset());
		bar.append(this.resetButton);
		more.append(button("Save SVG", "The picture as a file", () => commands.saveSvg()),
			button("Save folded", "The stacks as text, one in a line", () => commands.saveFolded()));
		this.element = element("div", { class: "controls", role: "toolbar", "aria-label": "View" }, bar,
			element("details", {}, element("summary", {}, "More"), more));
	}

	get search(): HTMLInputElement {
		return this.controls.get("search") as HTMLInputElement;
	}

	/* After the state was changed elsewhere; what is being typed stays. */
	show(state: State, result: string, canReset: boolean): void {
		for (const [name, control] of this.controls) {
			if (control instanceof HTMLInputElement && control.type === "checkbox")
				control.checked = Boolean(state[name]);
			else if (control !== document.activeElement || control instanceof HTMLSelectElement)
				control.value = String(state[name]);
		}
		setText(this.result, result);
		this.resetButton.disabled = !canReset;
		(this.controls.get("merge") as HTMLSelectElement).options[2].disabled = !state.function;
	}

	private make(row: Row, isDifference: boolean, sides: Sides): HTMLElement {
		const control: Control = row.choices
			? element("select", { title: row.title }, ...row.choices
				.filter(([value]) => value !== "difference" || isDifference)
				.map(([value, label]) => element("option", { value }, row.name === "width" && (value === "after" || value === "before") ? sides[value] : label)))
			: element("input", { type: row.kind ?? "text", title: row.title, name: row.name, spellcheck: "false",
				...(row.kind === "number" ? { min: "0.1", max: "100", step: "any" } : {}) });
		control.setAttribute("data-name", row.name);
		this.controls.set(row.name, control);
		this.listen(row, control);
		return element("label", {}, row.label + " ", control);
	}

	private listen(row: Row, control: Control): void {
		const tell = (): void => {
			const value = row.kind === "checkbox" ? (control as HTMLInputElement).checked
				: row.kind === "number" ? Number(control.value) : control.value;
			this.commands.set({ [row.name]: value });
		};
		let timer = 0;
		control.addEventListener("change", () => {
			window.clearTimeout(timer);
			tell();
		});
		if (row.kind === "search" || row.kind === "text")
			control.addEventListener("input", () => {
				window.clearTimeout(timer);
				timer = window.setTimeout(tell, TYPING);
			});
	}
}
