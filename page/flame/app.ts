// SPDX-License-Identifier: Apache-2.0
/*
 * A flame graph with all that belongs to it: graph, controls, tooltip and
 * details around one state.  It is a page, or a part of another one (home.ts).
 * Every change goes through set(): state, URL, picture, in this order, and a URL
 * that somebody else changed comes back the same way.
 */

import { css } from "../common/colour";
import { button, download, element, setText } from "../common/dom";
import { readFragment, writeFragment } from "../common/fragment";
import { percent } from "../common/units";
import { Controls } from "./controls";
import { fullName, Profile } from "./data";
import { asFolded, asSvg } from "./export";
import { FunctionList } from "./functions";
import { Graph, Place } from "./graph";
import { Home, PAGE } from "./home";
import { Picture } from "./layout";
import { legend, Painter } from "./palette";
import { matchedTotal } from "./search";
import { initialState, sane, State } from "./state";
import { Tree } from "./tree";
import { scaleOf, View } from "./view";
import { describe, inOneLine, Words } from "./words";

/* A change of these makes another tree, in which nodes have other numbers. */
const SHAPING: (keyof State)[] = ["merge", "function", "focus", "ignore", "collapse", "order"];
/* Changes that "back" should undo; the others replace what the URL was. */
const STEPS: (keyof State)[] = ["merge", "function", "zoom", "callerZoom", "shape"];

export class FlamePage {
	private view: View;
	private initial: State;
	private state: State;
	private readonly graph: Graph;
	private controls: Controls;
	private readonly functions: FunctionList;
	private readonly tooltip = element("div", { class: "tooltip", role: "tooltip", hidden: "" });
	private readonly said = element("output", { class: "said", "aria-live": "polite" });
	private readonly actions = element("span", { class: "actions" });
	private readonly legend = element("ul", { class: "legend", "aria-label": "Colours" });
	private readonly empty = element("p", { class: "empty", hidden: "" }, "No stacks to show.");

	constructor(private readonly root: HTMLElement, private profile: Profile, private readonly home: Home = PAGE) {
		this.view = new View(profile);
		this.initial = initialState(profile.isDifference, profile.sides.areParts);
		this.state = this.fromUrl();
		this.controls = this.makeControls();
		this.functions = new FunctionList(profile, (name) => this.set({ merge: "function", function: name }));
		this.graph = new Graph({
			zoom: (place) => this.zoom(place),
			select: () => this.showSelected(),
			hover: (place, x, y) => this.hover(place, x, y),
			sandwich: (place) => this.sandwich(place),
			key: (event) => this.key(event),
		});
		this.build();
		this.selectZoomed();
		this.render(true);
		this.showSelected();
	}

	/* Another profile in the same place, with the state that its home has. */
	show(profile: Profile): void {
		const isOther = profile.isDifference !== this.profile.isDifference;
		this.profile = this.functions.profile = profile;
		this.view = new View(profile);
		this.initial = initialState(profile.isDifference, profile.sides.areParts);
		this.state = this.fromUrl();
		if (isOther) {
			const { element: old } = this.controls;
			this.controls = this.makeControls();
			old.replaceWith(this.controls.element);
		}
		this.selectZoomed();
		this.render(true);
		this.showSelected();
	}

	private makeControls(): Controls {
		return new Controls(this.profile, {
			set: (change) => this.set(change),
			reset: () => this.reset(),
			saveSvg: () => download(this.fileName("svg"), "image/svg+xml", this.svg()),
			saveFolded: () => download(this.fileName("folded"), "text/plain",
				asFolded(this.profile.frames, this.view.stacksOf(this.state))),
		});
	}

	private makeHeader(): HTMLElement {
		const { title, subtitle, notes } = this.profile;
		const header = element("header", {}, element("h1", {}, title || "Flame graph"));
		if (subtitle)
			header.append(element("p", {}, subtitle));
		if (notes.length)
			header.append(element("ul", { class: "notes", "aria-label": "Notes" }, ...notes.map((note) => element("li", {}, note))));
		return header;
	}

	private build(): void {
		const { isPage } = this.home;
		this.actions.append(
			button("Zoom", "Enter", () => this.zoom(this.graph.selected)),
			button("Callers and callees", "s", () => this.sandwich(this.graph.selected)),
			button("Focus", "Only stacks with this function", () => this.only("focus")),
			button("Ignore", "No stacks with this function", () => this.only("ignore")));
		const main = element(isPage ? "main" : "section", { class: "flame" }, ...(isPage ? [this.makeHeader()] : []), this.controls.element,
			this.functions.element, this.legend, this.graph.element, this.empty, element("footer", {}, this.said, this.actions));
		this.root.append(main, this.tooltip);
		if (isPage)
			window.addEventListener("hashchange", () => this.urlChanged());
		(isPage ? document : main).addEventListener("keydown", (event) => this.documentKey(event as KeyboardEvent));
		/* the window does not keep a graph that its page has thrown away */
		const self = new WeakRef(this);
		window.addEventListener("beforeprint", () => self.deref()?.print(true));
		window.addEventListener("afterprint", () => self.deref()?.print(false));
	}

	private print(isPrinting: boolean): void {
		this.root.classList.toggle("printing", isPrinting);
		this.graph.print(isPrinting);
	}

	private fromUrl(): State {
		return sane(readFragment(this.home.read(), this.initial), this.initial);
	}

	private urlChanged(): void {
		const state = this.fromUrl();
		if (writeFragment(state, this.initial) === writeFragment(this.state, this.initial))
			return;
		this.state = state;
		this.selectZoomed();
		this.render(true);
		this.showSelected();
	}

	private selectZoomed(): void {
		const { parts } = this.picture(), part = parts.length - 1;
		this.graph.selected = { part, node: parts[part].zoom };
	}

	private set(change: Partial<State>): void {
		const before = this.state;
		const isOther = (names: (keyof State)[]): boolean => names.some((name) => this.state[name] !== before[name]);
		this.state = sane({ ...before, ...change }, this.initial);
		if (isOther(SHAPING)) {
			this.state.zoom = change.zoom ?? 0;
			this.state.callerZoom = change.callerZoom ?? 0;
			this.graph.selected = { part: this.state.merge === "function" ? 1 : 0, node: 0 };
		}
		const fragment = writeFragment(this.state, this.initial);
		if (fragment === writeFragment(before, this.initial))
			return;
		this.home.write(fragment, isOther(STEPS));
		this.render(isOther(STEPS) || isOther(SHAPING));
		this.showSelected();
	}

	private picture(): Picture {
		return this.view.pictureOf(this.state);
	}

	private painter(): Painter {
		const { colour, merge } = this.state;
		/* seen from the leaf, a frame has no weight of its own */
		const basis = merge === "leaf" ? "total" : this.state.basis;
		return new Painter(colour, this.profile.frames, basis, scaleOf(this.profile, this.state));
	}

	private render(isNew: boolean): void {
		const picture = this.picture(), { frames } = this.profile;
		const { parts } = picture, last = parts[parts.length - 1];
		const matches = this.view.matches(this.state);
		const isEmpty = !last.tree.width[0];
		this.graph.element.hidden = isEmpty;
		this.empty.hidden = !isEmpty;
		const stacks = this.view.stacksOf(this.state);
		let result = "";
		if (matches)
			result = `${percent(matchedTotal(stacks, matches), stacks.total[0])} matched`;
		const { merge, search } = this.state;
		this.controls.show(this.state, result, parts.some((part) => part.zoom > 0) || merge === "function" || search !== "");
		this.functions.update(stacks, matches);
		this.showLegend(last.tree);
		this.graph.show({ picture, frames, painter: this.painter(), matches }, this.state.least, isNew);
		performance.mark("flame-drawn");
	}

	private showLegend(tree: Tree): void {
		const keys = legend(this.state.colour, this.profile, tree);
		this.legend.replaceChildren(...keys.map(({ label, colour }) => {
			const sample = element("span", { class: "sample" });
			sample.style.backgroundColor = css(colour);
			return element("li", {}, sample, label);
		}));
		this.legend.hidden = !keys.length;
	}

	private words({ part, node }: Place): Words {
		const { tree } = this.picture().parts[part];
		return describe(this.profile, this.view.stacksOf(this.state), tree, node, this.view.hasSelf(this.state, part));
	}

	private showSelected(): void {
		const { part, node } = this.graph.selected;
		setText(this.said, inOneLine(this.words({ part, node })));
		const isFrame = this.picture().parts[part].tree.frame[node] < this.profile.frames.length;
		for (const action of this.actions.querySelectorAll("button"))
			action.disabled = !isFrame;
	}

	private hover(place: Place | null, x: number, y: number): void {
		this.tooltip.hidden = !place;
		if (!place)
			return;
		const { name, lines } = this.words(place);
		this.tooltip.replaceChildren(element("strong", {}, name), ...lines.map((line) => element("div", {}, line)));
		const { width, height } = this.tooltip.getBoundingClientRect();
		this.tooltip.style.left = `${Math.max(0, Math.min(x + 12, window.innerWidth - width - 4))}px`;
		this.tooltip.style.top = `${y + 16 + height > window.innerHeight ? Math.max(0, y - height - 12) : y + 16}px`;
	}

	private zoom({ part, node }: Place): void {
		this.set(this.picture().parts.length > 1 && part === 0 ? { callerZoom: node } : { zoom: node });
	}

	private nameOf({ part, node }: Place): string | null {
		const frame = this.picture().parts[part].tree.frame[node];
		return frame < this.profile.frames.length ? fullName(this.profile.frames, frame) : null;
	}

	private sandwich(place: Place): void {
		const name = this.nameOf(place);
		if (name !== null)
			this.set({ merge: "function", function: name });
	}

	private only(which: "focus" | "ignore"): void {
		const name = this.nameOf(this.graph.selected);
		if (name === null)
			return;
		const exactly = "^" + name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&") + "$";
		const others = which === "ignore" && this.state.ignore ? this.state.ignore + "|" : "";
		this.set({ [which]: others + exactly });
	}

	/* The zoom first, then the function, then the search. */
	private reset(): void {
		const { zoom, callerZoom, merge } = this.state;
		if (zoom || callerZoom)
			this.set({ zoom: 0, callerZoom: 0 });
		else if (merge === "function")
			this.set({ merge: "root" });
		else
			this.set({ search: "" });
	}

	/* In the graph, where a letter is not text. */
	private key(event: KeyboardEvent): void {
		const { shape, merge } = this.state;
		if (event.key === "i")
			this.set({ shape: shape === "flame" ? "icicle" : "flame" });
		else if (event.key === "r")
			this.set({ merge: merge === "leaf" ? "root" : "leaf" });
		else if (event.key === "n" || event.key === "N")
			this.nextMatch(event.key === "n" ? 1 : -1);
	}

	private nextMatch(step: number): void {
		const matches = this.view.matches(this.state), { part, node } = this.graph.selected;
		const { tree } = this.picture().parts[part];
		if (!matches)
			return;
		for (let i = 1; i <= tree.length; i++) {
			const at = (node + step * i + 2 * tree.length) % tree.length;
			if (matches[tree.frame[at]])
				return this.graph.select({ part, node: at });
		}
	}

	private documentKey(event: KeyboardEvent): void {
		const { search } = this.controls;
		const isTyping = event.target instanceof HTMLInputElement;
		const isFind = (event.ctrlKey || event.metaKey) && event.key === "f";
		/* a second Ctrl-F is the browser's own */
		if (isFind && document.activeElement !== search || event.key === "/" && !isTyping) {
			search.focus();
			search.select();
			event.preventDefault();
		} else if (event.key === "Escape") {
			if (event.target === search) {
				search.value = "";
				this.set({ search: "" });
				this.graph.element.focus();
			} else {
				this.reset();
			}
		} else if (event.key === "Enter" && event.target === search) {
			this.graph.element.focus();
		}
	}

	private svg(): string {
		return asSvg({
			profile: this.profile, stacks: this.view.stacksOf(this.state), picture: this.picture(), painter: this.painter(),
			matches: this.view.matches(this.state), least: this.state.least, hasSelf: (part) => this.view.hasSelf(this.state, part),
		});
	}

	private fileName(suffix: string): string {
		return (this.profile.title.replace(/[^\w.-]+/g, "-").replace(/^[-.]+|-+$/g, "").slice(0, 60) || "flame") + "." + suffix;
	}
}
