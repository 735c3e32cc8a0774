// SPDX-License-Identifier: Apache-2.0
/*
 * One instrumentation on the page: its name and what can be done with it, what
 * it costs and has lost, always in sight, and its sets.
 */

import { button, element, setText } from "../common/dom";
import { visible } from "../common/text";
import { grouped, percent, quantity } from "../common/units";
import { recordingOf } from "./api";
import { BlockView } from "./block";
import { HostList } from "./hosts";
import { inWords } from "./predicate";
import { Scene } from "./scene";
import { Instrument } from "./store";
import { Failure, Instrumentation, Status } from "./types";

export interface PanelWishes {
	rename(title: string): void;
	pin(isPinned: boolean): void;
	stop(): void;
	remove(): void;
	edit(): void;		/* ask again, otherwise */
	enlarge(): void;
	only(host: string): void;	/* the same of one host of a fleet */
}

const STATES: Record<Instrumentation["state"], string> = { starting: "starting", running: "live", ended: "ended", failed: "failed" };

/* What is said of an instrumentation; `isBad`: it should be noticed. */
interface Fact {
	label: string;
	value: string;
	title: string;
	isBad?: boolean;
}

/* Of a fleet: how many hosts the picture is made of. */
function hostFacts({ sources, late = 0, refused }: Partial<Status>): Fact[] {
	if (!sources)
		return [];
	const bad = Object.entries(refused ?? {}).filter(([name, number]) => number && name !== "repeated");
	return [
		{ label: "hosts", value: `${grouped(sources.reporting)} of ${grouped(sources.wanted)}`, isBad: sources.reporting < sources.wanted || !sources.wanted,
			title: `hosts that report, of those that were chosen${sources.late ? `; ${grouped(sources.late)} are late` : ""}` },
		...(late ? [{ label: "late", value: grouped(late), title: "columns to which hosts have added something after they were shown" }] : []),
		...(bad.length ? [{ label: "refused", value: grouped(bad.reduce((sum, [, number]) => sum + number, 0)), isBad: true,
			title: "messages or keys of hosts that were not believed: " + bad.map(([name, number]) => `${name} ${grouped(number)}`).join(", ") }] : []),
	];
}

export function factsOf(status: Partial<Status>, rate: number): Fact[] {
	const lost: ["keys_lost" | "stacks_lost" | "log_lost" | "columns_lost", string][] = [["keys_lost", "keys"], ["stacks_lost", "stacks"], ["log_lost", "lines"], ["columns_lost", "columns"]];
	const { events = 0, drops = 0, faults = 0, cost = 0, kernel_bytes = 0, rss_bytes = 0 } = status;
	return [
		...hostFacts(status),
		{ label: "events", value: grouped(events) + (rate ? ` (${grouped(Math.round(rate))}/s)` : ""), title: "how often its probes have fired" },
		{ label: "drops", value: grouped(drops), title: "events that were lost because buffers were full", isBad: drops > 0 },
		{ label: "faults", value: grouped(faults), title: "errors at run time, such as invalid addresses", isBad: faults > 0 },
		{ label: "cost", value: cost > 0 && cost < 0.0001 ? "<0.01%" : percent(cost, 1), title: `share of one CPU that its programs take, in the kernel: ${quantity(Math.round(status.cost_ns_per_event ?? 0), "ns")} for each event`, isBad: cost > 0.1 },
		{ label: "each", value: quantity(Math.round(status.cost_ns_per_event ?? 0), "ns"), title: "time of its programs for each event" },
		{ label: "memory", value: quantity(kernel_bytes + rss_bytes, "bytes"), title: `${quantity(kernel_bytes, "bytes")} in the kernel, ${quantity(rss_bytes, "bytes")} in its worker` },
		{ label: "probes", value: grouped(status.probes ?? 0), title: "places that are instrumented" },
		...lost.filter(([name]) => status[name]).map(([name, word]) => ({ label: `${word} lost`, value: grouped(status[name]!), title: `${word} that there was no room for`, isBad: true })),
	];
}

export class Panel {
	readonly element: HTMLElement;
	readonly blocks = new Map<string, BlockView>();
	private readonly title = element("h2");
	private readonly badge = element("span", { class: "badge" });
	private readonly condition = element("p", { class: "condition" });
	private readonly facts = element("dl", { class: "facts" });
	private readonly failure = element("div", { class: "problem", role: "alert", hidden: "" });
	private readonly body = element("div", { class: "panel-body" });
	private readonly pin: HTMLButtonElement;
	private readonly stop: HTMLButtonElement;
	private readonly large: HTMLButtonElement;
	private readonly program = element("pre", { class: "program" });
	private readonly shownProgram = element("details", {}, element("summary", {}, "Program"), this.program);
	private drawnFacts = "";
	private drawnFailure = "";
	private info: Instrumentation;

	constructor(readonly instrument: Instrument, private readonly wishes: PanelWishes, isReadOnly: boolean) {
		this.info = instrument.info;
		this.pin = button("Pin", "keep this panel at the top, and its instrumentation when nobody looks (p)", () => wishes.pin(!this.info.pinned));
		this.stop = button("Stop", "end tracing, keep what was counted (x)", () => wishes.stop());
		this.large = button("Large", "this panel alone, or all again (e)", () => wishes.enlarge());
		const recording = element("a", { href: recordingOf(this.info.id), download: "", title: "what is kept, as a file to replay", class: "button" }, "Recording");
		const acts = element("div", { class: "acts", role: "group", "aria-label": "this instrumentation" });
		if (isReadOnly)
			acts.append(this.large);
		else
			acts.append(button("Ask again…", "change metric, condition or program, in a new panel (a)", () => wishes.edit()), this.pin, this.stop, this.large,
				element("details", { class: "display more-acts" }, element("summary", {}, "More"), element("div", { class: "menu" },
					button("Rename", "give it another name", () => this.rename()), recording,
					button("Delete", "end it, and forget what was counted (Delete)", () => wishes.remove()))));
		this.element = element("article", { class: "instrument", tabindex: "-1", "data-id": String(this.info.id) },
			element("header", {}, element("div", { class: "headline" }, this.badge, this.title, acts), this.condition, this.facts),
			this.failure, this.body, ...(this.info.fleet && !isReadOnly ? [new HostList(this.info.id, (host) => wishes.only(host)).element] : []), this.shownProgram);
		if (!isReadOnly)
			this.title.addEventListener("dblclick", () => this.rename());
		this.element.addEventListener("keydown", (event) => this.key(event, isReadOnly));
	}

	private key(event: KeyboardEvent, isReadOnly: boolean): void {
		const target = event.target as HTMLElement;
		if (event.ctrlKey || event.altKey || event.metaKey || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
			return;
		const acts: Record<string, () => void> = isReadOnly ? { e: this.wishes.enlarge } : {
			p: () => this.wishes.pin(!this.info.pinned), x: this.wishes.stop, e: this.wishes.enlarge, a: this.wishes.edit, Delete: this.wishes.remove,
		};
		/* keys of a flame graph are its own */
		if (!Object.prototype.hasOwnProperty.call(acts, event.key) || target.closest(".flame"))
			return;
		event.preventDefault();
		acts[event.key]();
	}

	private rename(): void {
		const input = element("input", { type: "text", "aria-label": "new name", maxlength: "200" });
		input.value = this.info.title;
		let isOver = false;
		const finish = (isKept: boolean): void => {
			if (isOver)
				return;
			isOver = true;	/* to leave it is to lose the focus, too */
			const title = input.value.trim();
			input.replaceWith(this.title);
			if (isKept && title && title !== this.info.title)
				this.wishes.rename(title);
		};
		input.addEventListener("keydown", (event) => {
			if (event.key === "Enter" || event.key === "Escape") {
				event.stopPropagation();
				finish(event.key === "Enter");
			}
		});
		input.addEventListener("blur", () => finish(true));
		this.title.replaceWith(input);
		input.select();
	}

	show(sceneOf: (set: number | null) => Scene): void {
		const { info, rate } = this.instrument;
		this.info = info;
		setText(this.title, visible(info.title));
		setText(this.badge, STATES[info.state] ?? info.state);
		this.badge.className = `badge ${info.state}`;
		this.badge.title = visible(info.reason ?? "");
		const condition = inWords(info.where, info.fields);
		const { fleet } = info;
		setText(this.condition, [fleet && `${fleet.hosts === "*" ? "all hosts" : `hosts ${visible(fleet.hosts)}`}${fleet.aggby.length ? `, by ${visible(fleet.aggby.join(", "))}` : ""}`,
			condition && `only ${visible(condition)}`, info.pid ? `process ${info.pid}` : "",
			info.state === "ended" || info.state === "failed" ? visible(info.reason ?? "") : ""].filter(Boolean).join(" · "));
		this.condition.hidden = !this.condition.textContent;
		this.pin.setAttribute("aria-pressed", String(info.pinned));
		this.stop.disabled = info.state !== "running" && info.state !== "starting";
		if (this.program.textContent !== visibleLines(info.program))
			this.program.textContent = visibleLines(info.program);
		this.shownProgram.hidden = !info.program;
		this.showFacts(factsOf(info.status, rate));
		this.showFailure(info.state === "failed" || info.error ? info.error ?? { message: info.reason || "It failed." } : null);
		this.showBlocks(sceneOf);
	}

	private showFacts(facts: Fact[]): void {
		const drawn = JSON.stringify(facts);
		if (drawn === this.drawnFacts)
			return;
		this.drawnFacts = drawn;
		this.facts.replaceChildren(...facts.map(({ label, value, title, isBad }) =>
			element("div", { title, class: isBad ? "bad" : "" }, element("dt", {}, label), element("dd", {}, value))));
	}

	private showFailure(error: Failure | null): void {
		const drawn = JSON.stringify(error);
		if (drawn === this.drawnFailure)
			return;
		this.drawnFailure = drawn;
		this.failure.hidden = !error;
		if (error)
			this.failure.replaceChildren(element("p", {}, visible(error.message)),
				...(error.hint ? [element("p", { class: "quiet" }, visible(error.hint))] : []),
				...(error.excerpt ? [element("pre", {}, visibleLines(error.excerpt))] : []));
	}

	private showBlocks(sceneOf: (set: number | null) => Scene): void {
		const { instrument } = this, { info } = instrument;
		const wanted: (number | null)[] = instrument.sets.filter(Boolean).map((set) => set.info.set);
		/* until it reports, a program could be anything */
		const isLog = info.metric !== null && (info.view === "log" || info.view === "timeline");
		if (instrument.log.length || isLog)
			wanted.push(null);
		for (const [id, block] of this.blocks)
			if (!wanted.some((set) => id === `${info.id}.${set ?? "log"}`)) {
				block.element.remove();
				this.blocks.delete(id);
			}
		const blocks = wanted.map((set) => {
			const id = `${info.id}.${set ?? "log"}`, block = this.blocks.get(id) ?? new BlockView(id);
			this.blocks.set(id, block);
			return { set, block };
		});
		/* what is printed comes last, even if it came first */
		if (blocks.some(({ block }, i) => this.body.children[i] !== block.element))
			this.body.replaceChildren(...blocks.map(({ block }) => block.element));
		for (const { set, block } of blocks)
			block.show(sceneOf(set), wanted.length > 1);
		if (!wanted.length && !this.body.childElementCount)
			this.body.append(element("p", { class: "quiet waiting" }, info.state === "running" || info.state === "starting"
				? "Nothing has been counted yet. The picture comes with the first event." : "Nothing was counted."));
	}

	point(t: number | null): void {
		for (const block of this.blocks.values())
			block.point(t);
	}
}

/* Lines and tabs are text, too. */
function visibleLines(text: string): string {
	return (text ?? "").split("\n").map((line) => line.split("\t").map(visible).join("\t")).join("\n");
}
