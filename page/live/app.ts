// SPDX-License-Identifier: Apache-2.0
/*
 * The live page: one state, which is in the URL; one store, which a server or a
 * snapshot fills; and what is drawn of both.
 *
 * Nothing draws by itself.  Whatever changes says what has to be drawn again,
 * and that happens once, before the browser's next picture: all panels when a
 * second has passed or the user did something, else those that have news.  A
 * panel that nobody sees is not drawn.
 */

import { button, element } from "../common/dom";
import { readFragment, writeFragment } from "../common/fragment";
import { visible } from "../common/text";
import { api, wordsOf } from "./api";
import { Chooser } from "./chooser";
import { movedTo, Present, stepped, Times, timesOf } from "./clock";
import { Help } from "./help";
import { HostBar } from "./hosts";
import { Panel } from "./panel";
import { again, Scene, Wishes } from "./scene";
import { fillFrom, Link, Source } from "./source";
import { Block, INITIAL, readBlock, sane, State, withoutBlocks, writeBlock } from "./state";
import { StartPage } from "./start";
import { Instrument, Store } from "./store";
import { TopBar } from "./top_bar";
import { Metrics, Request, SnapshotJson } from "./types";
import { WritePage } from "./write";
import { timeOfDay } from "./zone";

/* What is not about panels is drawn anew when one of these changes. */
const PLACES: (keyof State)[] = ["page", "module", "metric", "pid"];
/* Columns arrive one by one: panels are drawn together. */
const TOGETHER = 50;	/* ms */
const CHECKING = 1500;	/* ms */

export class LivePage {
	private state: State;
	private readonly store: Store;
	private readonly top: TopBar;
	private readonly help = new Help();
	private readonly hosts = new HostBar({ change: (part, isSmall) => this.change(part, isSmall) });
	private readonly banner = element("div", { class: "banner", role: "alert", hidden: "" });
	private readonly restore = element("div", { class: "banner", hidden: "" });
	private readonly said = element("div", { class: "toast", role: "status", hidden: "" });
	private readonly grid = element("main", { class: "panels", "aria-label": "instrumentations" });
	private readonly place = element("div");
	private readonly panels = new Map<number, Panel>();
	private readonly seen = new Set<Element>();
	private readonly watcher: IntersectionObserver;
	private readonly dark = matchMedia("(prefers-color-scheme: dark)");
	private readonly isReadOnly: boolean;
	private metrics: Metrics | null = null;
	private shownPlace = "";
	private order = "";
	private dirty = new Set<number>();
	private isAllDirty = true;
	private timer = 0;
	private toastTimer = 0;
	private newest = 0;	/* the instrumentation that was asked for last */

	constructor(private readonly root: HTMLElement, snapshot: SnapshotJson | null) {
		this.isReadOnly = snapshot !== null;
		this.state = sane(readFragment(location.hash, INITIAL));
		this.store = new Store({
			all: () => this.soon(null), one: (id) => this.soon(id), time: () => this.soon(null),
		});
		this.watcher = new IntersectionObserver((entries) => {
			for (const { target, isIntersecting } of entries) {
				this.seen[isIntersecting ? "add" : "delete"](target);
				if (isIntersecting)
					this.soon(Number((target as HTMLElement).dataset.id));
			}
		}, { rootMargin: "200px" });
		this.top = new TopBar({
			change: (part, isSmall) => this.change(part, isSmall), step: (direction) => this.step(direction), moveTo: (until) => this.moveTo(until),
			pause: () => this.pause(), live: () => this.change({ until: 0 }, true), annotate: () => this.annotate(), help: () => this.help.toggle(),
		}, this.isReadOnly);
		root.append(this.top.element, this.banner, this.restore, this.place, this.grid, this.said, this.help.element);
		this.listen();
		if (snapshot)
			fillFrom(this.store, snapshot);
		else
			new Source(this.store, { link: (link, reason) => this.showLink(link, reason), restarted: () => this.restarted() }).start();
		this.draw();
	}

	/* ------------------------------------------------------------ state */

	private keep(part: Partial<State>, isSmall: boolean): void {
		this.state = sane({ ...this.state, ...part });
		const fragment = "#" + writeFragment(this.state, INITIAL);
		if (fragment !== location.hash && fragment !== "#" + location.hash)
			history[isSmall ? "replaceState" : "pushState"](null, "", fragment);
	}

	private change(part: Partial<State>, isSmall = false): void {
		this.keep(part, isSmall);
		this.isAllDirty = true;
		this.draw();
	}

	private changeBlock(id: string, part: Partial<Block>, isSmall = false): void {
		const block = { ...readBlock(this.state.blocks, id), ...part };
		this.keep({ blocks: writeBlock(this.state.blocks, id, block) }, isSmall);
		this.dirty.add(parseInt(id, 10));
		this.draw();
	}

	private present(): Present {
		return { now: this.isReadOnly ? this.store.now : this.store.edge, interval: this.store.interval, retention: this.store.retention };
	}

	private times(): Times {
		return timesOf(this.present(), this.state.span, this.state.until);
	}

	private moveTo(until: number): void {
		this.change({ until: movedTo(this.present(), this.state.span, until) }, true);
	}

	private step(direction: number): void {
		this.change({ until: stepped(this.present(), this.state.span, this.state.until, direction) }, true);
	}

	private pause(): void {
		this.change({ until: this.state.until ? 0 : this.times().to }, true);
	}

	/* ---------------------------------------------------------- actions */

	private say(text: string, isBad = false): void {
		this.said.textContent = visible(text);
		this.said.classList.toggle("bad", isBad);
		this.said.hidden = false;
		window.clearTimeout(this.toastTimer);
		this.toastTimer = window.setTimeout(() => { this.said.hidden = true; }, isBad ? 12000 : 4000);
	}

	private attempt(act: Promise<unknown>): void {
		act.catch((error) => this.say(wordsOf(error), true));
	}

	private async ask(request: Request): Promise<void> {
		const { hosts, aggby } = this.state;
		const info = await api.create(this.store.status?.fleet
			? { ...request, pid: null, hosts: request.hosts ?? (hosts || "*"), aggby: request.aggby ?? aggby.split(",").filter(Boolean) } : request);
		this.newest = info.id;
		this.store.describe(info);
		this.change({ page: "", large: 0, until: 0, request: "", program: "", metric: "", module: "", pid: 0 });
	}

	private annotate(): void {
		if (this.isReadOnly)
			return;
		const t = this.state.until || this.store.now;
		const input = element("input", { type: "text", maxlength: "200", size: "40", "aria-label": "text of the mark" });
		const dialog = element("dialog", { class: "ask" }, element("p", {}, `What happened at ${timeOfDay(t)}?`), input);
		const close = (): void => { dialog.close(); dialog.remove(); };
		const mark = (): void => {
			if (input.value.trim())
				this.attempt(api.annotate(t, input.value.trim()).then((annotation) => this.store.annotate(annotation)));
			close();
		};
		input.addEventListener("keydown", (event) => {
			event.stopPropagation();
			if (event.key === "Enter")
				mark();
		});
		dialog.addEventListener("close", () => dialog.remove());
		const marks = this.store.annotations.map(({ n, t: at, text }) => element("li", {}, `${timeOfDay(at)} ${text} `,
			button("Remove", `remove the mark ${text}`, () => { this.attempt(api.unannotate(n)); this.store.unannotate(n); close(); })));
		dialog.append(element("div", { class: "choices" }, button("Mark", "Enter", mark), button("Cancel", "Escape", close)),
			...(marks.length ? [element("ul", { class: "old-marks" }, ...marks)] : []));
		this.root.append(dialog);
		dialog.showModal();
		input.focus();
	}

	/* ----------------------------------------------------------- events */

	private listen(): void {
		const url = (): void => {
			this.state = sane(readFragment(location.hash, INITIAL));
			this.isAllDirty = true;
			this.draw();
		};
		addEventListener("hashchange", url);
		addEventListener("popstate", url);
		addEventListener("resize", () => this.soon(null));
		this.dark.addEventListener("change", () => this.soon(null));
		document.addEventListener("visibilitychange", () => this.soon(null));
		document.addEventListener("keydown", (event) => this.key(event));
		/* menus close when something else is done */
		document.addEventListener("click", (event) => this.closeMenus(event.target as Node));
	}

	private key(event: KeyboardEvent): void {
		const target = event.target as HTMLElement;
		const isTyping = /^(TEXTAREA|SELECT)$/.test(target.tagName) || target.tagName === "INPUT" && !/^(checkbox|range)$/.test((target as HTMLInputElement).type);
		if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || isTyping || target.closest("dialog"))
			return;
		const isButton = /^(BUTTON|A|SUMMARY)$/.test(target.tagName) || target.closest(".graph") !== null;
		const onStart = this.isOnStart();
		const acts: Record<string, () => void> = {
			"?": () => this.help.toggle(), "[": () => this.step(-1), "]": () => this.step(1), l: () => this.change({ until: 0 }, true), m: () => this.annotate(),
			n: () => { if (!this.isReadOnly && !this.store.status?.replay) this.change({ page: "start" }); }, j: () => this.focusPanel(1), k: () => this.focusPanel(-1), Escape: () => this.back(),
			...(isButton ? {} : { " ": () => this.pause() }),
			...(onStart ? { 1: () => this.change({ page: "machine", module: "" }), 2: () => this.change({ page: "service", module: "" }), 3: () => this.change({ page: "program", pid: 0 }) } : {}),
		};
		if (!Object.prototype.hasOwnProperty.call(acts, event.key) || target.closest(".flame") && event.key !== "?")
			return;
		event.preventDefault();
		acts[event.key]();
	}

	private closeMenus(except: Node | null): boolean {
		const open = [...document.querySelectorAll<HTMLDetailsElement>("details.display[open]")].filter((menu) => !menu.contains(except) ||
			(except instanceof HTMLElement && menu.classList.contains("more-acts") && except.closest(".menu") !== null));
		for (const menu of open)
			menu.open = false;
		return open.length > 0;
	}

	private isOnStart(): boolean {
		return this.state.page === "start" || this.state.page === "" && !this.store.instruments.size;
	}

	private back(): void {
		const { page, pid, large } = this.state;
		if (this.closeMenus(null))
			return;
		if (page === "" && large)
			this.change({ large: 0 });
		else if (page === "program" && pid)
			this.change({ pid: 0 });
		else if (page === "start" || page === "metric" || page === "write")
			this.change({ page: page === "metric" ? "machine" : "" });
		else if (page !== "")
			this.change({ page: "start" });
	}

	private focusPanel(step: number): void {
		const all = this.store.ordered().map(({ info }) => this.panels.get(info.id)?.element).filter((one): one is HTMLElement => one?.isConnected === true);
		const at = all.findIndex((one) => one.contains(document.activeElement));
		const next = all[Math.max(0, Math.min(all.length - 1, at < 0 ? 0 : at + step))];
		(next?.querySelector<HTMLElement>("canvas.map, canvas.chart-canvas, .graph, .lines") ?? next)?.focus();
		next?.scrollIntoView({ block: "nearest" });
	}

	/* ------------------------------------------------------- connection */

	private showLink(link: Link, reason: string): void {
		this.banner.hidden = link !== "lost";
		if (link === "lost")
			this.banner.replaceChildren(element("strong", {}, "Not connected. "), reason + " What you see is what was known until then; this page goes on trying.");
		if (link === "live")
			this.showLost();
	}

	private restarted(): void {
		this.keep({ blocks: "", large: 0, until: 0 }, true);
		this.say("The server was restarted: what it had counted before is gone.", true);
		this.showLost();
	}

	/* What a server that was killed had been asked for. */
	private showLost(): void {
		const lost = this.store.status?.lost ?? [];
		this.restore.hidden = !lost.length;
		if (!lost.length)
			return;
		const again = button(`Bring ${lost.length === 1 ? "it" : "them"} back`, "start these instrumentations again", () => {
			again.disabled = true;
			this.attempt(api.restore().then(() => { this.restore.hidden = true; this.change({ page: "" }); }));
		});
		this.restore.replaceChildren(element("strong", {}, "The server was restarted. "),
			`What ran until then has ended: ${lost.map(({ title }) => visible(title ?? "?")).join(", ")}. `, again, " ",
			button("Leave it", "forget them", () => { this.restore.hidden = true; }));
	}

	/* ---------------------------------------------------------- drawing */

	/* null: everything. */
	private soon(id: number | null): void {
		if (id === null)
			this.isAllDirty = true;
		else
			this.dirty.add(id);
		if (this.timer)
			return;
		this.timer = window.setTimeout(() => requestAnimationFrame(() => {
			this.timer = 0;
			this.draw();
		}), TOGETHER);
	}

	private isDark(): boolean {
		return this.state.theme === "auto" ? this.dark.matches : this.state.theme === "dark";
	}

	private draw(): void {
		if (document.hidden || !this.store)
			return;
		document.documentElement.dataset.theme = this.state.theme;
		const { page } = this.state, times = this.times();
		const showsPanels = page === "" && (this.store.instruments.size > 0 || this.isReadOnly || !this.store.status);
		this.top.show(this.store, this.state, times, this.present(), this.store.instruments.size > 0);
		if (this.store.status?.fleet && !this.isReadOnly) {
			if (!this.hosts.element.isConnected)
				this.top.element.after(this.hosts.element);
			this.hosts.show(this.store.hosts, this.store.hostProblem, this.state.hosts, this.state.aggby);
		}
		this.grid.hidden = !showsPanels;
		this.drawPlace(showsPanels);
		if (showsPanels)
			this.drawPanels(times);
		this.isAllDirty = false;
		this.dirty.clear();
		if (this.newest && showsPanels && this.panels.has(this.newest)) {
			const panel = this.panels.get(this.newest)!;
			this.newest = 0;
			panel.element.scrollIntoView({ block: "nearest" });
			panel.element.focus({ preventScroll: true });
		}
	}

	private drawPanels(times: Times): void {
		const all = this.store.ordered(), { large } = this.state;
		const shown = large && this.store.instruments.has(large) ? all.filter(({ info }) => info.id === large) : all;
		for (const [id, panel] of this.panels)
			if (panel.instrument !== this.store.instruments.get(id)) {
				panel.element.remove();
				this.watcher.unobserve(panel.element);
				this.seen.delete(panel.element);
				this.panels.delete(id);
				this.keep({ blocks: withoutBlocks(this.state.blocks, id) }, true);
			}
		const order = shown.map(({ info }) => info.id).join(" ");
		const isNew = shown.some(({ info }) => !this.panels.has(info.id));
		for (const instrument of shown)
			if (!this.panels.has(instrument.info.id))
				this.addPanel(instrument);
		if (order !== this.order || isNew) {
			this.order = order;
			const focused = document.activeElement as HTMLElement | null;
			this.grid.replaceChildren(...shown.map(({ info }) => this.panels.get(info.id)!.element));
			/* what is moved loses the focus */
			if (focused?.isConnected && focused !== document.activeElement)
				focused.focus({ preventScroll: true });
			this.grid.classList.toggle("one", shown.length === 1);
			this.isAllDirty = true;
		}
		if (!shown.length)
			this.grid.replaceChildren(element("p", { class: "quiet" }, this.store.status ? "There is nothing in this file." : "Asking the server…"));
		for (const instrument of shown) {
			const { id } = instrument.info, panel = this.panels.get(id)!;
			if ((this.isAllDirty || this.dirty.has(id)) && (this.seen.has(panel.element) || isNew))
				panel.show((set) => this.sceneOf(instrument, set, times));
		}
	}

	private addPanel(instrument: Instrument): void {
		const { id } = instrument.info;
		const panel = new Panel(instrument, {
			rename: (title) => this.attempt(api.change(id, { title })),
			pin: (pinned) => this.attempt(api.change(id, { pinned })),
			stop: () => this.attempt(api.stop(id)),
			remove: () => this.attempt(api.remove(id).then(() => this.store.gone(id))),
			enlarge: () => this.change({ large: this.state.large === id ? 0 : id }),
			edit: () => this.edit(instrument),
			only: (host) => this.attempt(this.ask(again(instrument, { hosts: `host=${host}`, aggby: [] }))),
		}, this.isReadOnly);
		this.panels.set(id, panel);
		this.watcher.observe(panel.element);
	}

	private edit({ info }: Instrument): void {
		const { metric, by, where, stacks, pid, program, fleet } = info;
		if (fleet)
			this.keep({ hosts: fleet.hosts === "*" ? "" : fleet.hosts, aggby: fleet.aggby.join(",") }, true);
		if (metric)
			this.change({ page: "metric", metric, request: JSON.stringify({ metric, by, where, stacks, pid }) });
		else
			this.change({ page: "write", program, pid: pid ?? 0 });
	}

	private sceneOf(instrument: Instrument, set: number | null, times: Times): Scene {
		const { info } = instrument, id = `${info.id}.${set ?? "log"}`;
		const wishes: Wishes = {
			change: (part, isSmall) => this.changeBlock(id, part, isSmall),
			moveTo: (until) => this.moveTo(until),
			point: (t) => this.panels.forEach((panel) => panel.point(t)),
			instrument: (request) => this.attempt(this.ask(request)),
			write: (program) => this.change({ page: "write", program }),
		};
		return {
			instrument, set: set === null ? null : instrument.sets[set], times, state: this.state, block: readBlock(this.state.blocks, id),
			isDark: this.isDark(), isLive: !this.state.until && !this.isReadOnly, isReadOnly: this.isReadOnly || (this.store.status?.replay ?? false), annotations: this.store.annotations, wishes,
		};
	}

	/* Pages without panels are made when one gets there. */
	private drawPlace(showsPanels: boolean): void {
		const { state } = this;
		const wanted = showsPanels || this.isReadOnly || !this.store.status ? "" : JSON.stringify([PLACES.map((name) => state[name]), this.isDark(), state.page === "" && "start"]);
		if (wanted === this.shownPlace)
			return;
		this.shownPlace = wanted;
		this.place.replaceChildren();
		if (wanted)
			this.makePlace(wanted).catch((error) => {
				this.shownPlace = "";
				this.place.replaceChildren(element("p", { class: "problem", role: "alert" }, wordsOf(error)));
			});
	}

	/* Which metrics work here is found out while the first pages are looked at. */
	private async askMetrics(): Promise<void> {
		if (this.metrics && !this.metrics.checking)
			return;
		this.metrics = await api.metrics();
		if (this.metrics.checking)
			window.setTimeout(() => this.checkMetrics(), CHECKING);
	}

	private checkMetrics(): void {
		api.metrics().then((metrics) => {
			if (metrics.checking) {
				window.setTimeout(() => this.checkMetrics(), CHECKING);
				return;
			}
			const isOther = metrics.metrics.some(({ available }, i) => available !== this.metrics?.metrics[i]?.available);
			this.metrics = metrics;
			const isBusy = document.activeElement instanceof HTMLInputElement && document.activeElement.value !== "";
			if (isOther && !isBusy && this.shownPlace && !["write", "metric"].includes(this.state.page)) {
				this.shownPlace = "";
				this.draw();
			}
		}, (error) => console.info(wordsOf(error)));
	}

	private async makePlace(wanted: string): Promise<void> {
		const { state } = this;
		if (state.page === "write") {
			const page = new WritePage(state.program, state.pid, {
				changed: (program) => this.keep({ program }, true), start: (request) => this.ask(request), back: () => this.change({ page: "start" }),
			});
			this.place.replaceChildren(page.element);
			return page.focus();
		}
		await this.askMetrics();
		if (!this.metrics)
			return;
		if (wanted !== this.shownPlace)
			return;
		const metric = this.metrics.metrics.find(({ name }) => name === state.metric);
		if (state.page === "metric" && metric) {
			this.place.replaceChildren(new Chooser(metric, readRequest(state.request), {
				changed: (request) => this.keep({ request: JSON.stringify(request) }, true),
				start: (request) => this.ask(request),
				write: (program, pid) => this.change({ page: "write", program, pid }),
				back: () => this.change({ page: metric.entry, module: metric.module }),
			}).element);
			return;
		}
		const page = new StartPage(state, this.metrics, { go: (part) => this.change(part), start: (request) => this.ask(request) }, this.isDark(), this.store.status?.fleet != null);
		this.place.replaceChildren(page.element);
		if (!page.element.contains(document.activeElement))
			page.element.querySelector<HTMLElement>(".cards button, .modules [aria-current], input")?.focus({ preventScroll: true });
	}
}

/* From the URL, so it may be anything. */
function readRequest(text: string): Request {
	try {
		const value: unknown = JSON.parse(text || "{}");
		return value && typeof value === "object" ? value as Request : {};
	} catch {
		return {};
	}
}
