// SPDX-License-Identifier: Apache-2.0
/*
 * The page of a heat map: controls, the map, what is selected in it, its flame
 * graph, the table of keys.
 *
 * There is one state, and it is in the URL.  Whatever a user does changes the
 * state; render() then draws everything from it.
 */

import { button, element, setText } from "../common/dom";
import { readFragment, writeFragment } from "../common/fragment";
import { grouped, percent } from "../common/units";
import { Brush, HeatCanvas } from "./canvas";
import { Heat, HeatMap } from "./data";
import { FlamePanel, Wanted } from "./flame_panel";
import { fillKeys, KeyAct } from "./keys";
import { COLOURINGS, countKeys, HEIGHTS, isChosen, makePicture, Picture, wholeWindow, Window } from "./model";
import { PALETTES } from "./palette";
import { fillRamp } from "./ramp";
import { areaOf, cornersOf, Place, readArea, writeArea } from "./selection";
import { SelectionBar } from "./selection_bar";
import { choiceOf, INITIAL, QUANTITIES, readKeys, sane, State, THEMES, toggled, windowOf, withoutZoom } from "./state";
import { areaWords, cellWords } from "./words";

const WORDS: Record<string, string> = {
	rank: "by rank", linear: "linear", log: "logarithmic", count: "count", sum: "sum of values (estimated)", rows: "equal rows",
	auto: "like the system", light: "light", dark: "dark",
};

const ESTIMATED = "Buckets count values and do not add them up: sums and averages take the middle of each row";

const OTHER_STACKS: (keyof State)[] = ["map", "area", "column", "row", "only", "without", "stacks"];

export class HeatPage {
	private state: State;
	private picture: Picture;
	private hover: Place | null = null;
	private brush: Brush | null = null;
	private isDragging = false;
	private isPrinting = false;
	private readonly map: HeatCanvas;
	private readonly controls: (() => void)[] = [];
	private readonly status = element("p", { class: "status", role: "status", "aria-live": "polite", id: "status" });
	private readonly details = element("ul", { class: "details", "aria-label": "the cell" });
	private readonly tooltip = element("div", { class: "tooltip", hidden: "" });
	private readonly subject = element("h2", {}, "Cell");
	private readonly table = element("table", { class: "keys" });
	private readonly keys = element("section");
	private readonly ramp = element("div", { class: "ramp" });
	private readonly bar: SelectionBar;
	private readonly panel: FlamePanel;
	private readonly dark = matchMedia("(prefers-color-scheme: dark)");

	constructor(root: HTMLElement, private readonly heat: Heat) {
		if (!heat.maps.length)
			throw new Error(["Nothing was counted.", ...heat.notes].join(" "));
		this.state = sane(readFragment(location.hash, INITIAL), heat);
		this.map = new HeatCanvas(heat);
		this.bar = new SelectionBar({
			zoom: () => this.zoomToSelection(),
			stacks: (stacks) => this.toggleStacks(stacks),
			clear: () => this.clearSelection(),
		});
		this.panel = new FlamePanel({
			isPage: false,
			read: () => this.state.flame,
			write: (flame, isStep) => this.keep({ flame }, !isStep),
		});
		this.build(root);
		this.picture = this.makePicture();
		this.listen();
		this.render();
	}

	private current(): HeatMap {
		return this.heat.maps[this.state.map];
	}

	/* Sums and percentiles of times of day say nothing. */
	private isOffset(): boolean {
		return this.current().scale === "offset";
	}

	private makePicture(): Picture {
		const map = this.current();
		return makePicture(map, windowOf(this.state, map), choiceOf(this.state), this.state.quantity,
			{ columns: this.map.columnsThatFit(), rows: this.map.rowsThatFit() });
	}

	/* ------------------------------------------------------- building */

	private build(root: HTMLElement): void {
		const canvas = this.map.canvas;
		canvas.tabIndex = 0;
		canvas.className = "map";
		canvas.setAttribute("role", "application");
		canvas.setAttribute("aria-label", "Heat map. Arrow keys choose a cell, with Shift a rectangle; Enter zooms to it, " +
			"f shows its flame graph, d compares that with the rest; plus, minus and Escape zoom; Page Up and Page Down step in time.");
		canvas.setAttribute("aria-describedby", "status");
		const filter = element("input", { type: "search", placeholder: "part of a key", "aria-label": "part of a key" });
		filter.addEventListener("input", () => this.change({ filter: filter.value }, true));
		this.controls.push(() => { if (filter.value !== this.state.filter) filter.value = this.state.filter; });
		root.append(
			element("header", {}, element("h1", {}, this.heat.title), element("p", {}, this.heat.subtitle),
				...(this.heat.notes.length ? [element("ul", { class: "notes" }, ...this.heat.notes.map((note) => element("li", {}, note)))] : [])),
			element("div", { class: "choices", role: "group", "aria-label": "what is shown" }, ...this.makeControls()),
			canvas, this.ramp, this.status, this.bar.element, this.tooltip, this.panel.element,
			element("section", { class: "below" }, this.subject, this.details, this.keys));
		this.keys.append(element("h2", {}, "Keys"),
			element("div", { class: "choices" }, filter,
				button("All keys", "show all keys again, without colours", () => this.change({ only: "", without: "", hue: "", filter: "" }))),
			this.table);
	}

	private makeControls(): HTMLElement[] {
		const maps = this.heat.maps.length > 1 ? [this.select("map", "Map", this.heat.maps.map((_, i) => String(i)),
			(value) => this.heat.maps[Number(value)].name)] : [];
		return [
			...maps,
			this.radios("colour", "Colour", COLOURINGS),
			this.select("quantity", "of", QUANTITIES),
			this.select("height", "Rows", HEIGHTS),
			this.select("palette", "Palette", PALETTES),
			this.select("theme", "Page", THEMES),
			this.check("p50", "median"), this.check("p90", "90 %"), this.check("p99", "99 %"), this.check("average", "average (estimated)"),
			element("span", { class: "group" },
				button("+", "zoom in (+)", () => this.zoom(0.5)), button("−", "zoom out (-)", () => this.zoom(2)),
				button("◀", "earlier (Page Up)", () => this.step(-1)), button("▶", "later (Page Down)", () => this.step(1)),
				button("Whole", "show all columns and rows (Escape)", () => this.reset())),
		];
	}

	/* One click each. */
	private radios(name: "colour", label: string, values: readonly string[]): HTMLElement {
		const group = element("fieldset", {}, element("legend", {}, label));
		for (const value of values) {
			const input = element("input", { type: "radio", name, value });
			input.addEventListener("change", () => this.change({ [name]: value } as Partial<State>));
			this.controls.push(() => { input.checked = this.state[name] === value; });
			group.append(element("label", {}, input, WORDS[value] ?? value));
		}
		return group;
	}

	private select(name: "map" | "quantity" | "height" | "palette" | "theme", label: string, values: readonly string[],
		words = (value: string): string => WORDS[value] ?? value): HTMLElement {
		const select = element("select", { name }, ...values.map((value) => element("option", { value }, words(value))));
		if (name === "quantity")
			select.title = ESTIMATED;
		select.addEventListener("change", () => this.change(name === "map"
			? { ...INITIAL, theme: this.state.theme, palette: this.state.palette, map: Number(select.value) }
			: { [name]: select.value } as Partial<State>));
		const made = element("label", {}, label + " ", select);
		this.controls.push(() => {
			select.value = String(this.state[name]);
			made.hidden = this.isOffset() && (name === "quantity" || name === "height");
		});
		return made;
	}

	private check(name: "p50" | "p90" | "p99" | "average", label: string): HTMLElement {
		const input = element("input", { type: "checkbox", name });
		input.addEventListener("change", () => this.change({ [name]: input.checked }));
		const made = element("label", name === "average" ? { title: ESTIMATED } : {}, input, label);
		this.controls.push(() => {
			input.checked = this.state[name];
			made.hidden = this.isOffset();
		});
		return made;
	}

	/* ------------------------------------------------------- the state */

	/* `isSmall`: "back" does not undo it by itself. */
	private keep(part: Partial<State>, isSmall: boolean): void {
		const before = this.state;
		this.state = sane({ ...before, ...part }, this.heat);
		/* another flame graph, in which nodes have other numbers */
		if (OTHER_STACKS.some((name) => this.state[name] !== before[name]))
			this.state.flame = withoutZoom(this.state.flame, this.state.stacks !== before.stacks);
		const fragment = "#" + writeFragment(this.state, INITIAL);
		if (fragment !== location.hash && fragment !== "#" + location.hash)
			history[isSmall ? "replaceState" : "pushState"](null, "", fragment);
	}

	private change(part: Partial<State>, isSmall = false): void {
		this.keep(part, isSmall);
		this.render();
	}

	private setWindow(window: Window): void {
		const whole = wholeWindow(this.current());
		this.brush = null;
		this.change({
			from: window.firstColumn, to: window.lastColumn >= whole.lastColumn ? -1 : window.lastColumn,
			low: window.firstRow, high: window.lastRow >= whole.lastRow ? -1 : window.lastRow,
		});
	}

	private reset(): void {
		this.setWindow(wholeWindow(this.current()));
	}

	/* Around the cell at hand, or the middle. */
	private zoom(factor: number): void {
		const window = windowOf(this.state, this.current()), whole = wholeWindow(this.current());
		const span = window.lastColumn - window.firstColumn + 1;
		const wanted = Math.max(1, Math.min(Math.round(span * factor), whole.lastColumn + 1));
		const centre = this.state.column >= window.firstColumn && this.state.column <= window.lastColumn
			? this.state.column : (window.firstColumn + window.lastColumn) / 2;
		const firstColumn = Math.max(0, Math.min(Math.round(centre - wanted / 2), whole.lastColumn - wanted + 1));
		this.setWindow({ ...window, firstColumn, lastColumn: firstColumn + wanted - 1 });
	}

	/* By half a window. */
	private step(direction: number): void {
		const window = windowOf(this.state, this.current()), last = this.current().columns - 1;
		const span = window.lastColumn - window.firstColumn + 1;
		const by = Math.max(1, Math.round(span / 2)) * direction;
		const firstColumn = Math.max(0, Math.min(window.firstColumn + by, last - span + 1));
		this.setWindow({ ...window, firstColumn, lastColumn: firstColumn + span - 1 });
	}

	/* Cells of the picture and of the map. */
	private selected(): Place | null {
		const { window, columnWidth, rowHeight, columns, rows } = this.picture;
		const column = Math.floor((this.state.column - window.firstColumn) / columnWidth);
		const row = Math.floor((this.state.row - window.firstRow) / rowHeight);
		return this.state.column < 0 || this.state.row < 0 || column < 0 || row < 0 || column >= columns || row >= rows
			? null : { column, row };
	}

	private choose(place: Place, isSmall = false): void {
		const { firstColumn, firstRow } = areaOf(this.picture, place);
		this.change({ column: firstColumn, row: firstRow, area: "" }, isSmall);
	}

	/* A rectangle, or the cell at hand. */
	private selection(): Window | null {
		const place = this.selected();
		return readArea(this.state.area, this.current()) ?? (place && areaOf(this.picture, place));
	}

	private clearSelection(): void {
		this.brush = null;
		this.change({ area: "", column: -1, row: -1 });
	}

	private zoomToSelection(): void {
		const area = this.selection();
		if (!area)
			return;
		this.state.area = "";
		this.setWindow(area);
	}

	private toggleStacks(stacks: State["stacks"]): void {
		if (this.current().stacksIn >= 0 && (stacks !== "difference" || this.selection()))
			this.change({ stacks: this.state.stacks === stacks ? "none" : stacks });
	}

	private act(act: KeyAct, key: number): void {
		this.change({ [act]: toggled(this.state[act], key) });
	}

	/* --------------------------------------------------------- events */

	private listen(): void {
		const canvas = this.map.canvas;
		addEventListener("hashchange", () => {
			this.state = sane(readFragment(location.hash, INITIAL), this.heat);
			this.render();
		});
		addEventListener("popstate", () => {
			this.state = sane(readFragment(location.hash, INITIAL), this.heat);
			this.render();
		});
		new ResizeObserver(() => this.render()).observe(canvas);
		this.dark.addEventListener("change", () => this.render());
		addEventListener("beforeprint", () => { this.isPrinting = true; this.render(); });
		addEventListener("afterprint", () => { this.isPrinting = false; this.render(); });
		canvas.addEventListener("keydown", (event) => this.key(event));
		canvas.addEventListener("pointerdown", (event) => this.press(event));
		canvas.addEventListener("pointermove", (event) => this.move(event));
		canvas.addEventListener("pointerup", (event) => this.release(event));
		canvas.addEventListener("pointerleave", () => this.leave());
		/* what is under the mouse now has not been asked for */
		addEventListener("scroll", () => this.leave());
		canvas.addEventListener("dblclick", () => this.reset());
	}

	private leave(): void {
		this.hover = null;
		this.tooltip.hidden = true;
		this.draw();
	}

	private press(event: PointerEvent): void {
		const at = this.map.at(event.offsetX, event.offsetY);
		if (!at || event.button)
			return;
		this.brush = { from: at, to: at };
		this.isDragging = true;
		this.map.canvas.setPointerCapture(event.pointerId);
	}

	private move(event: PointerEvent): void {
		this.hover = this.map.at(event.offsetX, event.offsetY);
		if (this.brush && event.buttons && this.hover)
			this.brush.to = this.hover;
		this.showTooltip(event);
		this.draw();
	}

	private release(event: PointerEvent): void {
		const { brush } = this;
		this.isDragging = false;
		if (!brush)
			return;
		this.brush = null;
		if (brush.from.column !== brush.to.column || brush.from.row !== brush.to.row)
			this.change({ area: writeArea(areaOf(this.picture, brush.from, brush.to)), column: -1, row: -1 });
		else
			this.choose(brush.to);
		this.showTooltip(event);
	}

	private showTooltip(event: PointerEvent): void {
		this.tooltip.hidden = !this.hover;
		if (!this.hover)
			return;
		const words = cellWords(this.heat, this.picture, this.hover.column, this.hover.row, this.state.quantity);
		this.tooltip.replaceChildren(...words.map((line) => element("div", {}, line)));
		const { innerWidth } = window;
		const x = event.clientX + 14, width = this.tooltip.offsetWidth;
		this.tooltip.style.left = `${x + width > innerWidth ? event.clientX - width - 14 : x}px`;
		this.tooltip.style.top = `${event.clientY + 14}px`;
	}

	private key(event: KeyboardEvent): void {
		const { columns, rows } = this.picture;
		const arrows: Record<string, [number, number]> = {
			ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1], Home: [-columns, 0], End: [columns, 0],
		};
		const acts: Record<string, () => void> = {
			"+": () => this.zoom(0.5), "=": () => this.zoom(0.5), "-": () => this.zoom(2),
			Escape: () => this.state.area ? this.clearSelection() : this.reset(),
			PageUp: () => this.step(-1), PageDown: () => this.step(1), Enter: () => this.zoomToSelection(),
			f: () => this.toggleStacks("selection"), d: () => this.toggleStacks("difference"),
		};
		if (event.ctrlKey || event.altKey || event.metaKey || (!arrows[event.key] && !acts[event.key]))
			return;
		event.preventDefault();
		if (acts[event.key]) {
			acts[event.key]();
			return;
		}
		const [right, up] = arrows[event.key];
		const at = this.selected();
		const from = event.shiftKey && this.brush ? this.brush.to : at;
		const to = from
			? { column: Math.max(0, Math.min(from.column + right, columns - 1)), row: Math.max(0, Math.min(from.row + up, rows - 1)) }
			: { column: right < 0 ? columns - 1 : 0, row: 0 };
		if (event.shiftKey && at) {
			this.brush = { from: this.brush?.from ?? at, to };
			this.change({ area: writeArea(areaOf(this.picture, this.brush.from, to)) }, true);
		} else {
			this.brush = null;
			this.choose(to, true);
		}
	}

	/* -------------------------------------------------------- drawing */

	private isDark(): boolean {
		if (this.isPrinting)
			return false;
		return this.state.theme === "auto" ? this.dark.matches : this.state.theme === "dark";
	}

	private draw(): void {
		const area = readArea(this.state.area, this.current()), corners = area && cornersOf(this.picture, area);
		const brush = this.isDragging && this.brush || (corners && { from: corners[0], to: corners[1] });
		this.map.draw(this.picture, this.state, this.isDark(), this.hover ?? this.selected(), brush);
	}

	private render(): void {
		document.documentElement.dataset.theme = this.state.theme;
		for (const control of this.controls)
			control();
		document.body.classList.toggle("with-flame", this.showsStacks());
		this.picture = this.makePicture();
		this.draw();
		fillRamp(this.ramp, this.picture, this.state, this.isDark());
		const words = this.selectionWords(), isArea = this.state.area !== "";
		setText(this.subject, isArea ? "Selection" : "Cell");
		this.details.replaceChildren(...(words.length ? words : ["none: click one, or choose it with the arrow keys"]).map((line) => element("li", {}, line)));
		setText(this.status, this.statusText(words));
		this.bar.show(this.current().stacksIn >= 0, this.state.stacks, this.selection() !== null);
		this.panel.show(this.wantedStacks());
		this.keys.hidden = !this.current().keyNames.length;
		fillKeys(this.table, this.picture, this.state, this.selection(), isArea ? "selected" : "in the cell", (act, key) => this.act(act, key));
	}

	private selectionWords(): string[] {
		const area = readArea(this.state.area, this.current()), place = this.selected(), map = this.current();
		if (!area)
			return place ? cellWords(this.heat, this.picture, place.column, place.row, this.state.quantity) : [];
		const choice = choiceOf(this.state);
		const sum = (counts: Map<number, number>): number => [...counts].reduce((all, [key, count]) => isChosen(choice, key) ? all + count : all, 0);
		const count = sum(countKeys(map, area));
		return [areaWords(this.heat, map, area), `${grouped(count)} ${map.countUnit}`, `${percent(count, sum(countKeys(map)))} of all`];
	}

	private showsStacks(): boolean {
		return this.state.stacks !== "none" && this.current().stacksIn >= 0;
	}

	private wantedStacks(): Wanted | null {
		const area = this.selection();
		return this.showsStacks() ? {
			heat: this.heat, map: this.current(), area, choice: choiceOf(this.state),
			isCompared: this.state.stacks === "difference" && area !== null,
		} : null;
	}

	private statusText(words: string[]): string {
		if (words.length)
			return words.join(", ");
		const shown = this.picture.counts.reduce((a, b) => a + b, 0);
		const only = readKeys(this.state.only).length;
		return `${this.current().name}: ${grouped(shown)} ${this.current().countUnit} shown` +
			(only ? `, of ${only} of ${this.current().keys.length} keys` : "");
	}
}
