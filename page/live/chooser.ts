// SPDX-License-Identifier: Apache-2.0
/* A metric, what it is divided by, which events count: a question without D, and the D that asks it. */

import { button, element, setText } from "../common/dom";
import { api, ApiError, wordsOf } from "./api";
import { Conditions } from "./conditions";
import { piecesOf } from "./highlight";
import { Metric, Request } from "./types";

export interface ChooserWishes {
	changed(request: Request): void;
	start(request: Request): Promise<void>;
	write(program: string, pid: number): void;
	back(): void;
}

const PAUSE = 250;

export class Chooser {
	readonly element: HTMLElement;
	private readonly by = new Set<string>();
	private stacks: boolean;
	private pid: number;
	private readonly conditions: Conditions;
	private readonly program = element("pre", { class: "program", "aria-label": "generated D program", tabindex: "0" });
	private readonly problem = element("p", { class: "problem", role: "alert", hidden: "" });
	private readonly start: HTMLButtonElement;
	private text = "";
	private timer = 0;

	constructor(private readonly metric: Metric, request: Request, private readonly wishes: ChooserWishes) {
		for (const name of request.by ?? metric.default)
			this.by.add(name);
		this.stacks = request.stacks ?? false;
		this.pid = request.pid ?? 0;
		this.conditions = new Conditions(metric.fields, request.where ?? null, () => this.changed());
		this.start = button("Show it", "start this instrumentation (Ctrl-Enter)", () => void this.submit());
		this.start.classList.add("main-act");
		const edit = button("Edit as D…", "take this program into the editor", () => wishes.write(this.text, this.pid));
		this.element = element("section", { class: "chooser" },
			element("h1", {}, metric.title), element("p", { class: "quiet" }, metric.about),
			...(metric.available ? [] : [element("p", { class: "problem" }, `${metric.reason} It may work later; try it.`)]),
			element("div", { class: "chooser-grid" },
				element("div", {}, element("h2", {}, "Divided by"), this.makeFields(), element("h2", {}, "Which events"), this.conditions.element,
					this.makePid(), element("div", { class: "choices" }, this.start, edit, button("Back", "to the metrics (Escape)", () => wishes.back())), this.problem),
				element("div", {}, element("h2", {}, "The program that asks it"), this.program)));
		this.element.addEventListener("keydown", (event) => {
			if (event.key === "Enter" && (event.ctrlKey || event.metaKey))
				void this.submit();
			else if (event.key === "Escape")
				wishes.back();
		});
		void this.generate();
	}

	get request(): Request {
		const { metric, stacks, pid } = this;
		const by = metric.fields.filter(({ name }) => this.by.has(name)).map(({ name }) => name);
		/* in the order in which the metric's own default has them */
		by.sort((a, b) => (metric.default.indexOf(a) + 1 || 99) - (metric.default.indexOf(b) + 1 || 99));
		return { metric: metric.name, by, where: this.conditions.predicate, stacks, pid: pid || null };
	}

	private makeFields(): HTMLElement {
		const { metric } = this;
		const checks = metric.fields.filter(({ type }) => type !== "stack").map(({ name, title, type, unit }) => {
			const input = element("input", { type: "checkbox", name, ...(this.by.has(name) ? { checked: "" } : {}) });
			input.addEventListener("change", () => {
				if (input.checked)
					this.by.add(name);
				else
					this.by.delete(name);
				this.changed();
			});
			return element("label", { class: "chip" }, input, title, ...(type === "number" ? [element("span", { class: "quiet" }, ` distribution${unit ? `, ${unit}` : ""}`)] : []));
		});
		if (metric.fields.some(({ type }) => type === "stack")) {
			const input = element("input", { type: "checkbox", name: "stacks", ...(this.stacks ? { checked: "" } : {}) });
			input.addEventListener("change", () => { this.stacks = input.checked; this.changed(); });
			checks.push(element("label", { class: "chip" }, input, "with stacks", element("span", { class: "quiet" }, " for flame graphs")));
		}
		return element("div", { class: "chips", role: "group", "aria-label": "divided by" }, ...checks);
	}

	private makePid(): HTMLElement {
		const input = element("input", { type: "number", min: "0", name: "pid", placeholder: "any" });
		input.value = this.pid ? String(this.pid) : "";
		input.addEventListener("input", () => { this.pid = Number(input.value) || 0; this.changed(); });
		return element("p", {}, element("label", {}, "Process ", input, this.metric.needs_pid ? " (needed)" : ""));
	}

	private changed(): void {
		this.wishes.changed(this.request);
		window.clearTimeout(this.timer);
		this.timer = window.setTimeout(() => void this.generate(), PAUSE);
	}

	private complain(error: unknown): void {
		setText(this.problem, error instanceof ApiError || error ? wordsOf(error) : "");
		this.problem.hidden = !error;
	}

	private async generate(): Promise<void> {
		try {
			this.text = await api.generate(this.request);
			this.complain(null);
			this.program.replaceChildren(...piecesOf(this.text).map(({ kind, text }) => kind === "plain" ? text : element("span", { class: `d-${kind}` }, text)));
		} catch (error) {
			this.complain(error);
		}
	}

	private async submit(): Promise<void> {
		this.start.disabled = true;
		try {
			await this.wishes.start(this.request);
		} catch (error) {
			this.complain(error);
		} finally {
			this.start.disabled = false;
		}
	}
}
