// SPDX-License-Identifier: Apache-2.0
/*
 * A fleet: which hosts the next question is for, and what keeps them apart; of a
 * question that was asked, which hosts answer, which do not, and why; of a cell,
 * which hosts it is made of.
 */

import { button, element, setText } from "../common/dom";
import { visible } from "../common/text";
import { grouped, percent } from "../common/units";
import { api, wordsOf } from "./api";
import { matches, valuesOf } from "./labels";
import { Host, HostState, Share } from "./types";

const MOST_NAMES = 8, MOST_ROWS = 200, MOST_LABELS = 12, EVERY = 2000;
/* A clock that is more than that off is worth a word. */
const CLOCK_OFF = 500;	/* ms */

export interface HostsWishes {
	change(part: { hosts?: string; aggby?: string }, isSmall?: boolean): void;
}

/* Above all panels: for what is asked next. */
export class HostBar {
	private readonly input = element("input", { type: "search", name: "hosts", placeholder: "all, or: role=db,site!=ulm,host=web*", size: "36", "aria-label": "hosts, by their labels", list: "host-words", spellcheck: "false" });
	private readonly words = element("datalist", { id: "host-words" });
	private readonly found = element("output", { class: "hosts-found" });
	private readonly apart = element("span", { class: "chips", role: "group", "aria-label": "hosts are kept apart by" });
	readonly element = element("section", { class: "hosts-bar", "aria-label": "hosts" }, element("label", {}, "Hosts ", this.input), this.words, this.found,
		element("span", { class: "quiet" }, "kept apart by"), this.apart);
	private drawn = "";

	constructor(private readonly wishes: HostsWishes) {
		this.input.addEventListener("input", () => wishes.change({ hosts: this.input.value.trim() }, true));
	}

	show(hosts: readonly Host[], problem: string, expression: string, aggby: string): void {
		if (document.activeElement !== this.input)
			this.input.value = expression;
		const wanted = JSON.stringify([hosts, problem, expression, aggby]);
		if (wanted === this.drawn)
			return;
		this.drawn = wanted;
		const chosen = hosts.filter(({ labels }) => matches(expression, labels)).map(({ host }) => visible(host)).sort();
		const names = chosen.slice(0, MOST_NAMES).join(", ") + (chosen.length > MOST_NAMES ? " …" : "");
		setText(this.found, problem ? visible(problem) : `${grouped(chosen.length)} of ${grouped(hosts.length)}${names ? ": " + names : ""}`);
		this.found.classList.toggle("bad", problem !== "" || !chosen.length);
		const labels = valuesOf(hosts.map((one) => one.labels));
		this.words.replaceChildren(...[...labels].flatMap(([name, values]) => values.slice(0, MOST_LABELS).map((value) => element("option", { value: `${name}=${value}` }))));
		this.showApart(["host", ...labels.keys()].slice(0, MOST_LABELS), aggby.split(",").filter(Boolean));
	}

	private showApart(names: readonly string[], aggby: readonly string[]): void {
		const focus = this.apart.contains(document.activeElement) ? (document.activeElement as HTMLInputElement).name : "";
		this.apart.replaceChildren(...names.map((name) => {
			const input = element("input", { type: "checkbox", name: "by-" + name, ...(aggby.includes(name) ? { checked: "" } : {}) });
			input.addEventListener("change", () => this.wishes.change({
				aggby: names.filter((other) => other === name ? input.checked : aggby.includes(other)).join(","),
			}));
			return element("label", { class: "chip" }, input, visible(name));
		}));
		if (focus)
			this.apart.querySelector<HTMLElement>(`[name="${CSS.escape(focus)}"]`)?.focus();
	}
}

/* Of an instrumentation; asked for while it is open. */
export class HostList {
	private readonly table = element("table", { class: "keys hosts" });
	private readonly said = element("ul", { class: "quiet" });
	readonly element = element("details", { class: "host-list" }, element("summary", {}, "Hosts"), this.table, this.said);
	private timer = 0;

	constructor(private readonly id: number, private readonly only: (host: string) => void) {
		this.element.addEventListener("toggle", () => void this.ask());
	}

	private async ask(): Promise<void> {
		window.clearTimeout(this.timer);
		if (!this.element.open || !this.element.isConnected)
			return;
		try {
			const { hosts, said } = await api.hostsOf(this.id);
			if (!this.table.matches(":hover, :focus-within"))
				this.show(hosts);
			this.said.replaceChildren(...said.slice(-10).map(({ host, text }) => element("li", {}, `${host ? visible(host) + ": " : ""}${visible(text)}`)));
		} catch (error) {
			this.said.replaceChildren(element("li", {}, wordsOf(error)));
		}
		this.timer = window.setTimeout(() => void this.ask(), EVERY);
	}

	private show(hosts: readonly HostState[]): void {
		/* those that do not report first */
		const order = [...hosts].sort((a, b) => Number(a.state === "running") - Number(b.state === "running") || (a.host < b.host ? -1 : 1));
		const body = element("tbody", {}, ...order.slice(0, MOST_ROWS).map((one) => this.row(one)));
		if (order.length > MOST_ROWS)
			body.append(element("tr", {}, element("td", { colspan: "6" }, `and ${grouped(order.length - MOST_ROWS)} more`)));
		this.table.replaceChildren(element("thead", {}, element("tr", {}, ...["host", "state", "clock", "drops", "labels", ""].map((word) => element("th", { scope: "col" }, word)))), body);
	}

	private row({ host, state, error, labels, drops, faults, clock_ms }: HostState): HTMLElement {
		const words = Object.entries(labels ?? {}).filter(([name]) => name !== "host").map(([name, value]) => visible(`${name}=${value}`)).join(" ");
		const clock = clock_ms === undefined ? "" : Math.abs(clock_ms) < 10 ? "right" : `${clock_ms > 0 ? "+" : "−"}${Math.abs(clock_ms).toFixed(0)} ms`;
		const only = button("Only this host", "ask the same of this host alone", () => this.only(host));
		only.dataset.host = host;
		return element("tr", { class: state === "running" ? "" : "not-reporting" }, element("th", { scope: "row" }, visible(host)),
			element("td", {}, visible(error ?? state)),
			element("td", { class: clock_ms !== undefined && Math.abs(clock_ms) > CLOCK_OFF ? "bad" : "" }, clock),
			element("td", {}, [drops && `${grouped(drops)} drops`, faults && `${grouped(faults)} faults`].filter(Boolean).join(", ")),
			element("td", { class: "quiet" }, words), element("td", {}, only));
	}
}

/* Of a cell or a rectangle. */
export class HostsOfCell {
	readonly element = element("section", { class: "hosts-of", "aria-label": "hosts of the selection", hidden: "" });
	private shown = "";
	private timer = 0;

	constructor(private readonly only: (host: string) => void) {}

	/* null: nothing is selected. */
	show(question: { id: number; set: number; from: number; to: number; low: number; high: number } | null): void {
		const wanted = JSON.stringify(question);
		if (wanted === this.shown)
			return;
		this.shown = wanted;
		window.clearTimeout(this.timer);
		this.element.hidden = !question;
		if (!question)
			return;
		this.element.replaceChildren(element("p", { class: "quiet" }, "Which hosts? Looking…"));
		this.timer = window.setTimeout(() => void api.who(question).then((answer) => {
			if (this.shown === wanted)
				this.fill(answer);
		}, (error) => {
			if (this.shown === wanted)
				this.element.replaceChildren(element("p", { class: "quiet" }, `Which hosts? ${wordsOf(error)}`));
		}), 200);
	}

	private fill({ hosts = [], all = 0, whole, problem }: Share): void {
		if (problem || !all)
			return this.element.replaceChildren(element("p", { class: "quiet" }, `Which hosts? ${problem ? visible(problem) : "What they sent is not kept any more."}`));
		const sum = hosts.reduce((sum, { count }) => sum + count, 0);
		const rows = hosts.slice(0, MOST_ROWS).map(({ host, count }) => {
			const only = button("Only this host", "ask the same of this host alone", () => this.only(host));
			only.dataset.host = host;
			return element("tr", {}, element("th", { scope: "row" }, visible(host)), element("td", {}, `${grouped(count)} (${percent(count, sum)})`), element("td", {}, only));
		});
		this.element.replaceChildren(element("h4", {}, `${grouped(all)} ${all === 1 ? "host is" : "hosts are"} in it`),
			element("table", { class: "keys" }, element("tbody", {}, ...rows)),
			...(all > rows.length ? [element("p", { class: "quiet" }, `and ${grouped(all - rows.length)} more`)] : []),
			...(whole ? [] : [element("p", { class: "quiet" }, "Some of these seconds are not kept any more.")]));
	}
}
