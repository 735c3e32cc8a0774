// SPDX-License-Identifier: Apache-2.0
/*
 * The start page: three questions that people have, each with what can be asked
 * behind it.  From here to a picture it is three clicks: the question, the part
 * of the machine, the picture.
 */

import { button, element } from "../common/dom";
import { visible } from "../common/text";
import { percent, quantity } from "../common/units";
import { api, wordsOf } from "./api";
import { moduleOf, often, processesOf, servicesOf, Shelf, shelvesOf } from "./catalogue";
import { icon } from "./icon";
import { State } from "./state";
import { ENTRIES, Entry, Metric, Metrics, Process, Request } from "./types";

export interface StartWishes {
	go(part: Partial<State>): void;
	start(request: Request): Promise<void>;
}

const QUESTIONS: Record<Entry, [string, string]> = {
	machine: ["What is this machine doing?", "CPUs, disks, file systems, network, memory, processes: how much, how long, by whom."],
	service: ["What is this database or service doing?", "PostgreSQL, MariaDB, web servers, language runtimes: queries, requests, calls and what they wait for."],
	program: ["Where does this program spend its time?", "Choose a process: what it does on the CPU, what it waits for off it, with its stacks."],
};

const FLEET: Partial<Record<Entry, string>> = { machine: "What are these machines doing?", service: "What are these databases or services doing?" };

const MOST_PROCESSES = 100;

function problem(error: unknown): HTMLElement {
	return element("p", { class: "problem", role: "alert" }, wordsOf(error));
}

export class StartPage {
	readonly element = element("main", { class: "start" });
	private search = "";

	constructor(private readonly state: State, private readonly metrics: Metrics, private readonly wishes: StartWishes, private readonly isDark: boolean, private readonly isFleet: boolean) {
		const { page } = state;
		if (page === "machine")
			this.element.append(this.heading(page), this.shelves("machine", 0));
		else if (page === "service" && isFleet)
			this.element.append(this.heading(page), this.shelves("service", 0));
		else if (page === "service")
			this.element.append(this.heading(page), this.waiting(async () => this.services(await api.processes())));
		else if (page === "program")
			this.element.append(this.heading(page), state.pid
				? this.waiting(async () => this.program((await api.processes()).find(({ pid }) => pid === state.pid)))
				: this.waiting(async () => this.processes(await api.processes())));
		else
			this.element.append(element("h1", {}, "What would you like to know?"), this.cards(), this.often(),
				element("p", { class: "or" }, "Or ", button("write D", "a program of your own, with completion", () => wishes.go({ page: "write", program: "" })),
					" yourself, and see each of its aggregations as a picture."));
	}

	private waiting(make: () => Promise<HTMLElement>): HTMLElement {
		const place = element("div", {}, element("p", { class: "quiet" }, "Looking…"));
		make().then((made) => place.replaceChildren(made), (error) => place.replaceChildren(problem(error)));
		return place;
	}

	private heading(entry: Entry): HTMLElement {
		return element("div", { class: "start-head" }, button("←", "back (Escape)", () => this.wishes.go({ page: this.state.pid ? entry : "start", module: "", pid: 0 })),
			element("h1", {}, this.isFleet ? FLEET[entry] ?? QUESTIONS[entry][0] : QUESTIONS[entry][0]));
	}

	private cards(): HTMLElement {
		/* each host has processes of its own */
		const entries = ENTRIES.filter((entry) => entry !== "program" || !this.isFleet);
		return element("div", { class: "cards" }, ...entries.map((entry, i) => {
			const [one, answer] = QUESTIONS[entry], question = this.isFleet ? FLEET[entry] ?? one : one;
			const card = element("button", { type: "button", class: "card", "data-entry": entry }, icon(entry, this.isDark),
				element("strong", {}, question), element("span", {}, answer), element("kbd", {}, String(i + 1)));
			card.addEventListener("click", () => this.wishes.go({ page: entry, module: "", pid: 0 }));
			return card;
		}));
	}

	private often(): HTMLElement {
		const failure = element("div");
		const buttons = often(this.metrics).map(({ metric, preset }) => {
			const made = button(preset.title, metric.about, () => this.wishes.start({ metric: metric.name, by: preset.by, stacks: preset.stacks, where: preset.where ?? null, pid: null })
				.catch((error) => failure.replaceChildren(problem(error))));
			made.className = "preset";
			return made;
		});
		return element("section", {}, ...(buttons.length ? [element("h2", {}, "Often asked"), element("div", { class: "often" }, ...buttons)] : []), failure);
	}

	/* --------------------------------------------------------- metrics */

	private shelves(entry: Entry, pid: number, only: (shelf: Shelf) => boolean = () => true): HTMLElement {
		const search = element("input", { type: "search", placeholder: "search metrics", "aria-label": "search metrics" });
		const place = element("div", { class: "shelves" });
		const fill = (): void => {
			const shelves = shelvesOf(this.metrics, entry, this.search).filter(only);
			const wanted = this.state.module, current = shelves.find(({ module }) => module.name === wanted) ?? (this.search || shelves.length === 1 ? null : shelves[0]);
			const shown = this.search || !current ? shelves : [current];
			const list = element("nav", { class: "modules", "aria-label": "modules" }, ...shelves.map((shelf) => this.module(shelf, shelf === current && !this.search, (name) => {
				this.search = search.value = "";
				this.wishes.go({ module: name });
			})));
			place.replaceChildren(...(shelves.length > 1 ? [list] : []), element("div", { class: "metrics" },
				...shown.flatMap((shelf) => [...(shown.length > 1 ? [element("h2", {}, shelf.module.title)] : []), ...shelf.metrics.map((metric) => this.metric(metric, pid))]),
				...(shown.length ? [] : [element("p", { class: "quiet" }, "No metric has these words.")])));
		};
		search.addEventListener("input", () => { this.search = search.value; fill(); });
		fill();
		return element("div", {}, search, place);
	}

	private module({ module, metrics, available }: Shelf, isCurrent: boolean, go: (name: string) => void): HTMLElement {
		const made = element("button", { type: "button", "data-module": module.name, ...(isCurrent ? { "aria-current": "true" } : {}) }, module.title,
			element("span", { class: "quiet" }, available === metrics.length ? String(metrics.length) : `${available} of ${metrics.length}`));
		made.addEventListener("click", () => go(module.name));
		return made;
	}

	private metric(metric: Metric, pid: number): HTMLElement {
		const { title, about, available, reason, presets, name } = metric;
		const failure = element("div");
		const ask = (by: string[], stacks: boolean, where: Request["where"]): void => {
			const request: Request = { metric: name, by, stacks, where: where ?? null, pid: pid || null };
			if (metric.needs_pid && !pid)
				return this.wishes.go({ page: "metric", metric: name, request: JSON.stringify(request) });
			this.wishes.start(request).catch((error) => failure.replaceChildren(problem(error)));
		};
		const wanted = presets.length ? presets : [{ title, by: metric.default, stacks: false, where: null }];
		const buttons = wanted.map((preset) => {
			const made = button(preset.title, available ? `show: ${preset.title}` : reason, () => ask(preset.by, preset.stacks, preset.where));
			made.className = "preset";
			made.disabled = !available;
			return made;
		});
		const other = button("Other…", "choose what it is divided by, and which events count", () =>
			this.wishes.go({ page: "metric", metric: name, request: pid ? JSON.stringify({ metric: name, pid }) : "" }));
		return element("article", { class: available ? "metric" : "metric unavailable", "data-metric": name },
			element("h3", {}, title), element("p", { class: "quiet" }, about),
			...(available ? [] : [element("p", { class: "reason" }, visible(reason || "not available on this machine"))]),
			element("div", { class: "presets" }, ...buttons, other), failure);
	}

	/* -------------------------------------------------------- services */

	private services(processes: Process[]): HTMLElement {
		const services = servicesOf(processes);
		const running = element("div", { class: "running" }, ...[...services].map(([service, list]) => {
			const made = element("button", { type: "button", class: "service", "data-service": service }, element("strong", {}, visible(service)),
				element("span", { class: "quiet" }, `${list.length === 1 ? `process ${list[0].pid}` : `${list.length} processes`}, ${visible(list[0].name)}`));
			made.addEventListener("click", () => {
				const module = moduleOf(this.metrics, service);
				this.wishes.go(module ? { module } : { page: "program", pid: list[0].pid });
			});
			return made;
		}));
		return element("div", {}, element("h2", {}, services.size ? "Running here" : "No service that we know runs here"), running,
			element("h2", {}, "What can be asked"), this.shelves("service", 0));
	}


	/* ------------------------------------------------------- processes */

	private processes(processes: Process[]): HTMLElement {
		const search = element("input", { type: "search", placeholder: "name, number, user", "aria-label": "search processes" });
		const body = element("tbody");
		const fill = (): void => {
			const found = processesOf(processes, search.value);
			body.replaceChildren(...found.slice(0, MOST_PROCESSES).map(({ pid, name, command, user, cpu, rss, service }) => {
				const choose = button(visible(name), `where process ${pid} spends its time`, () => this.wishes.go({ pid }));
				choose.dataset.pid = String(pid);
				const bar = element("span", { class: "bar-of" });
				bar.style.width = `${Math.min(100, 100 * cpu)}%`;
				return element("tr", {}, element("td", { class: "number" }, String(pid)), element("th", { scope: "row" }, choose),
					element("td", {}, visible(user ?? "")), element("td", { class: "share" }, bar, element("span", {}, percent(cpu, 1))),
					element("td", { class: "number" }, quantity(rss, "bytes")), element("td", {}, service ? visible(service) : ""), element("td", { class: "command" }, visible(command ?? "")));
			}));
			if (found.length > MOST_PROCESSES)
				body.append(element("tr", {}, element("td", { colspan: "7", class: "quiet" }, `and ${found.length - MOST_PROCESSES} more: type a part of their name`)));
		};
		search.addEventListener("input", fill);
		search.addEventListener("keydown", (event) => {
			if (event.key === "Enter")
				body.querySelector<HTMLElement>("button")?.click();
		});
		fill();
		const head = element("tr", {}, ...["process", "program", "user", "CPU", "memory", "service", "command"].map((label) => element("th", { scope: "col" }, label)));
		setTimeout(() => search.focus());
		return element("div", {}, search, element("table", { class: "processes" }, element("thead", {}, head), body));
	}

	private program(process: Process | undefined): HTMLElement {
		const { pid } = this.state;
		const name = process ? `${visible(process.name)}, process ${pid}` : `process ${pid}, which has ended`;
		return element("div", {}, element("h2", {}, name), ...(process ? [element("p", { class: "command quiet" }, visible(process.command))] : []), this.shelves("program", pid));
	}
}
