// SPDX-License-Identifier: Apache-2.0
/*
 * A heat map that goes on: the canvas, the table of keys and the flame graph are
 * those of page/heat; what is selected is kept as times and rows, so that it
 * stays where it is while columns move by.
 *
 * From here the loop closes: a cell or a rectangle says which keys are in it;
 * keys are isolated, left out or coloured; "Instrument only this" asks again
 * with a condition that only these events fulfil.
 */

import { button, element, setText } from "../common/dom";
import { grouped, percent } from "../common/units";
import { Brush, HeatCanvas } from "../heat/canvas";
import { Heat, HeatMap } from "../heat/data";
import { FlamePanel } from "../heat/flame_panel";
import { fillKeys, KeyAct } from "../heat/keys";
import { countKeys, isChosen, makePicture, Picture, wholeWindow } from "../heat/model";
import { fillRamp } from "../heat/ramp";
import { areaOf as cellsBetween, cornersOf, Place } from "../heat/selection";
import { choiceOf, readKeys, State as HeatState, toggled, withoutZoom } from "../heat/state";
import { areaWords, cellWords } from "../heat/words";
import { Area, areaOf, heatOf, mapOf, readArea, valuesOf, windowOf, writeArea } from "./cells";
import { placeBeside, scrollable } from "./chart";
import { Times } from "./clock";
import { HostsOfCell } from "./hosts";
import { both, chosenBy } from "./labels";
import { Marks } from "./marks";
import { onlyThis } from "./predicate";
import { again, Scene, View } from "./scene";
import { Block, heatState } from "./state";
import { Instrumentation } from "./types";

const KEYS_IN_TOOLTIP = 5;
const HELP = "Heat map. Arrow keys choose a cell, with Shift a rectangle; Enter goes to its keys, f shows its flame graph, " +
	"d compares that with the rest, o instruments only this; Escape selects nothing.";

/* A snapshot of an older server says nothing of fields. */
function canHaveStacks({ metric, fields }: Instrumentation): boolean {
	return metric !== null && (fields ?? []).some(({ type }) => type === "stack");
}

export class HeatView implements View {
	readonly element: HTMLElement;
	private readonly map = new HeatCanvas({ title: "", subtitle: "", zone: "", zoneSeconds: -new Date().getTimezoneOffset() * 60, notes: [], stacks: null, maps: [] });
	private readonly marks = new Marks();
	private readonly tooltip = element("div", { class: "tooltip", hidden: "" });
	private readonly ramp = element("div", { class: "ramp" });
	private readonly words = element("p", { class: "status", role: "status", "aria-live": "polite" });
	private readonly bar = element("div", { class: "selection", role: "group", "aria-label": "selection" });
	private readonly details = element("section", { class: "details-of", "aria-label": "keys of the selection", hidden: "" });
	private readonly table = element("table", { class: "keys" });
	private readonly filter = element("input", { type: "search", placeholder: "part of a key", "aria-label": "part of a key" });
	private readonly graph: HTMLButtonElement;
	private readonly difference: HTMLButtonElement;
	private readonly only: HTMLButtonElement;
	private readonly all: HTMLButtonElement;
	private readonly clear: HTMLButtonElement;
	private readonly hint = element("span", { class: "hint" });
	private readonly panel: FlamePanel;
	private readonly hosts = new HostsOfCell((host) => this.scene!.wishes.instrument(again(this.scene!.instrument, { hosts: `host=${host}`, aggby: [] })));
	private scene: Scene | null = null;
	private heat: Heat | null = null;
	private picture: Picture | null = null;
	private hover: Place | null = null;
	private brush: Brush | null = null;
	private isDragging = false;
	private drawnKeys = "";
	private wantedKeys = "";

	constructor() {
		const { canvas } = this.map;
		this.graph = button("Flame graph", "the stacks of the selection, or of everything (f)", () => this.toggleStacks("selection"));
		this.difference = button("Against the rest", "the stacks of the selection compared with all others (d)", () => this.toggleStacks("difference"));
		this.only = button("Instrument only this", "ask again, for events like these only (o)", () => this.instrument(null));
		this.all = button("All keys", "show all keys again, without colours", () => this.change({ only: "", without: "", hue: "", filter: "" }));
		this.clear = button("Clear", "select nothing (Escape)", () => this.change({ area: "" }));
		this.only.classList.add("main-act");
		this.bar.append(this.graph, this.difference, this.only, this.clear, this.hint);
		this.panel = new FlamePanel({
			isPage: false, read: () => this.scene?.block.flame ?? "",
			write: (flame, isStep) => this.change({ flame }, !isStep),
		});
		canvas.className = "map";
		canvas.tabIndex = 0;
		canvas.setAttribute("role", "application");
		canvas.setAttribute("aria-label", HELP);
		this.details.append(element("div", { class: "choices" }, this.filter, this.all), this.table);
		this.element = element("div", { class: "view heat" }, element("div", { class: "chart" }, canvas, this.marks.element, this.tooltip),
			this.ramp, this.words, this.bar, this.panel.element, this.hosts.element, this.details);
		this.filter.addEventListener("input", () => this.change({ filter: this.filter.value }, true));
		this.listen();
	}

	/* -------------------------------------------------------- selection */

	private change(part: Partial<Block>, isSmall = false): void {
		const { block, wishes } = this.scene!;
		const isOther = ["area", "only", "without", "stacks"].some((name) => name in part);
		wishes.change(isOther && !("flame" in part) ? { flame: withoutZoom(block.flame, "stacks" in part), ...part } : part, isSmall);
	}

	private area(): Area | null {
		return readArea(this.scene!.block.area);
	}

	/* All that is shown, and what is selected, which may be gone from there. */
	private wideMap(): HeatMap {
		const { instrument, set, times } = this.scene!, area = this.area();
		if (!area || area.from >= times.from && area.to <= times.to)
			return this.picture!.map;
		const wide: Times = { ...times, from: Math.min(area.from, times.from), to: Math.max(area.to, times.to) };
		return mapOf(instrument, set!, wide);
	}

	private selected(): Place | null {
		const area = this.area(), window = area && windowOf(this.picture!.map, area);
		return window && cornersOf(this.picture!, window)?.[0] || null;
	}

	private select(from: Place, to: Place, isSmall = false): void {
		this.change({ area: writeArea(areaOf(this.picture!.map, cellsBetween(this.picture!, from, to))) }, isSmall);
	}

	private toggleStacks(stacks: HeatState["stacks"]): void {
		const { instrument, set, block, wishes, isReadOnly } = this.scene!;
		if (set!.info.hasStacks)
			this.change({ stacks: block.stacks === stacks ? "none" : stacks });
		else if (canHaveStacks(instrument.info) && !isReadOnly)
			wishes.instrument(again(instrument, { stacks: true }));
	}

	private act(act: KeyAct, key: number): void {
		this.change({ [act]: toggled(this.scene!.block[act], key) });
	}

	/* Of one key, or of all that are isolated. */
	private instrument(key: number | null): void {
		const { instrument, set, block, wishes, isReadOnly } = this.scene!, area = this.area();
		if (isReadOnly)
			return;
		const keys = key === null ? readKeys(block.only) : [key];
		const { fleet } = instrument.info, apart = fleet ? chosenBy(fleet.aggby, keys.map((number) => set!.keys[number] ?? [])) : "";
		/* hosts that keys name */
		const hosts = apart ? { hosts: both(fleet!.hosts, apart) } : {};
		if (!instrument.info.metric)
			return apart ? wishes.instrument(again(instrument, hosts)) : wishes.write(instrument.info.program);
		const where = onlyThis(instrument.info, set!.info, {
			keys: keys.map((number) => set!.keys[number] ?? []), ...(area ? valuesOf(set!, area) : { low: null, high: null }),
		});
		if (where || apart)
			wishes.instrument(again(instrument, { ...(where ? { where } : {}), ...hosts }));
	}

	/* ----------------------------------------------------------- events */

	private listen(): void {
		const { canvas } = this.map;
		canvas.addEventListener("keydown", (event) => this.key(event));
		canvas.addEventListener("pointerdown", (event) => this.press(event));
		canvas.addEventListener("pointermove", (event) => this.move(event));
		canvas.addEventListener("pointerup", () => this.release());
		canvas.addEventListener("pointerleave", () => this.leave());
		scrollable(canvas, () => this.scene);
	}

	private leave(): void {
		this.hover = null;
		this.tooltip.hidden = true;
		this.scene?.wishes.point(null);
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
		if (this.isDragging && this.brush && this.hover)
			this.brush.to = this.hover;
		this.showTooltip(event);
		this.draw();
	}

	private release(): void {
		const { brush } = this;
		this.isDragging = false;
		this.brush = null;
		if (brush)
			this.select(brush.from, brush.to);
	}

	private showTooltip(event: PointerEvent): void {
		const { picture, hover } = this;
		this.tooltip.hidden = !hover;
		if (!hover || !picture)
			return;
		const { map } = picture, window = cellsBetween(picture, hover);
		this.scene!.wishes.point(map.start + (window.firstColumn + window.lastColumn + 1) / 2 * map.step);
		const lines = cellWords(this.heat!, picture, hover.column, hover.row, this.scene!.state.quantity);
		const choice = choiceOf(heatState(this.scene!.state, this.scene!.block));
		const keys = [...countKeys(map, window)].filter(([key]) => isChosen(choice, key)).sort((a, b) => b[1] - a[1]);
		const named = map.keyNames.length ? keys.slice(0, KEYS_IN_TOOLTIP).map(([key, count]) =>
			element("div", { class: "key" }, element("b", {}, grouped(count)), " " + (map.keys[key] || "(empty)"))) : [];
		const more = map.keyNames.length && keys.length > KEYS_IN_TOOLTIP ? [element("div", {}, `and ${keys.length - KEYS_IN_TOOLTIP} more`)] : [];
		this.tooltip.replaceChildren(...lines.map((line) => element("div", {}, line)), ...named, ...more);
		placeBeside(this.tooltip, event);
	}

	private key(event: KeyboardEvent): void {
		if (!this.picture || event.ctrlKey || event.altKey || event.metaKey)
			return;
		const { columns, rows } = this.picture;
		const arrows: Record<string, [number, number]> = {
			ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1], Home: [-columns, 0], End: [columns, 0],
		};
		const acts: Record<string, () => void> = {
			Escape: () => this.change({ area: "", stacks: "none" }), f: () => this.toggleStacks("selection"), d: () => this.toggleStacks("difference"),
			o: () => this.instrument(null), Enter: () => this.table.querySelector<HTMLElement>("button")?.focus(),
		};
		const known = (table: object): boolean => Object.prototype.hasOwnProperty.call(table, event.key);
		if (known(acts)) {
			event.preventDefault();
			event.stopPropagation();
			return acts[event.key]();
		}
		if (!known(arrows))
			return;
		event.preventDefault();
		event.stopPropagation();
		const [right, up] = arrows[event.key], at = this.selected();
		const from = event.shiftKey && this.brush ? this.brush.to : at;
		const to = from ? { column: Math.max(0, Math.min(from.column + right, columns - 1)), row: Math.max(0, Math.min(from.row + up, rows - 1)) } : this.busiest();
		this.brush = event.shiftKey && at ? { from: this.brush?.from ?? at, to } : null;
		this.select(this.brush?.from ?? to, to, true);
	}

	/* Where the keyboard begins: in the cell that has the most. */
	private busiest(): Place {
		const { values, rows } = this.picture!;
		let most = 0;
		values.forEach((value, i) => { if (value > values[most]) most = i; });
		return { column: Math.floor(most / rows), row: most % rows };
	}

	/* ---------------------------------------------------------- drawing */

	show(scene: Scene): void {
		const { instrument, set, times, state, block } = scene;
		const before = this.scene;
		this.scene = scene;
		if (!set)
			return;
		if (this.brush && !this.isDragging && before && before.times.from !== times.from)
			this.brush = null;	/* places are others now */
		const map = mapOf(instrument, set, times);
		this.heat = heatOf(instrument, map);
		this.element.classList.toggle("with-flame", block.stacks !== "none" && set.info.hasStacks);
		this.picture = makePicture(map, wholeWindow(map), choiceOf(heatState(state, block)), state.quantity,
			{ columns: this.map.columnsThatFit(), rows: this.map.rowsThatFit() });
		if (this.isDragging && before && this.brush && before.times.from !== times.from) {
			const by = Math.round((times.from - before.times.from) / times.step / this.picture.columnWidth);
			this.brush.from = { ...this.brush.from, column: Math.max(0, this.brush.from.column - by) };
		}
		this.draw();
		this.marks.show(times, scene.annotations);
		fillRamp(this.ramp, this.picture, heatState(state, block), scene.isDark);
		this.showSelection();
	}

	private draw(): void {
		if (!this.picture || !this.scene || !this.map.canvas.clientWidth)
			return;
		const { state, block, isDark } = this.scene, area = this.area(), window = area && windowOf(this.picture.map, area);
		const corners = window && cornersOf(this.picture, window);
		const brush = this.isDragging && this.brush || (corners && { from: corners[0], to: corners[1] });
		this.map.draw(this.picture, heatState(state, block), isDark, this.hover, brush);
	}

	private showSelection(): void {
		const { instrument, set, block, state, isReadOnly } = this.scene!, area = this.area();
		const map = this.wideMap(), window = area && windowOf(map, area), heat = map === this.picture!.map ? this.heat! : heatOf(instrument, map);
		const { hasStacks } = set!.info, canAsk = instrument.info.metric !== null && !isReadOnly;
		const isChoice = area !== null || block.only !== "";
		setText(this.words, window ? this.selectionWords(heat, map, window) : area ? "What was selected is no longer kept." : "");
		this.graph.hidden = !hasStacks && !(canAsk && canHaveStacks(instrument.info));
		this.difference.hidden = !hasStacks;
		this.difference.disabled = !window && !block.only;
		setText(this.graph, !hasStacks ? "With stacks" : window ? "Flame graph of this" : "Flame graph of all");
		this.graph.title = hasStacks ? "the stacks of the selection, or of everything (f)" : "these events have no stacks: ask again, with stacks (f)";
		this.graph.setAttribute("aria-pressed", String(hasStacks && (block.stacks === "selection" || block.stacks === "difference" && !isChoice)));
		this.difference.setAttribute("aria-pressed", String(block.stacks === "difference" && isChoice));
		this.only.hidden = isReadOnly;
		setText(this.only, instrument.info.metric ? "Instrument only this" : "Edit its D program");
		this.only.disabled = instrument.info.metric !== null && !isChoice;
		this.clear.disabled = !area;
		setText(this.hint, area ? "" : "Click a cell, or drag over the map; or use the arrow keys, with Shift for a rectangle.");
		this.panel.show(hasStacks && block.stacks !== "none" ? {
			heat, map, area: window, choice: choiceOf(heatState(state, block)), isCompared: block.stacks === "difference" && isChoice,
			id: JSON.stringify([block.area, block.only, block.without, block.stacks, this.scene!.isLive || this.scene!.times]),
		} : null);
		this.showKeys(map, window);
		/* where keys are hosts they say it */
		this.hosts.show(instrument.info.fleet && !isReadOnly && area && window && !instrument.info.fleet.aggby.includes("host") ?
			{ id: instrument.info.id, set: set!.info.set, ...area } : null);
	}

	private selectionWords(heat: Heat, map: HeatMap, window: ReturnType<typeof wholeWindow>): string {
		const { state, block } = this.scene!, choice = choiceOf(heatState(state, block));
		const sum = (counts: Map<number, number>): number => [...counts].reduce((all, [key, count]) => isChosen(choice, key) ? all + count : all, 0);
		const count = sum(countKeys(map, window));
		return `${areaWords(heat, map, window)}: ${grouped(count)} ${map.countUnit}, ${percent(count, sum(countKeys(map)))} of all shown`;
	}

	/* Never under somebody's hands: a row must not move away from the mouse. */
	private showKeys(map: HeatMap, window: ReturnType<typeof wholeWindow> | null): void {
		const { state, block, instrument, isReadOnly } = this.scene!;
		const wanted = JSON.stringify([block, window !== null]);
		const drawn = JSON.stringify([wanted, [...countKeys(map)], window && [...countKeys(map, window)]]);
		this.details.hidden = !map.keyNames.length || !(window || block.only || block.without || block.hue);
		if (document.activeElement !== this.filter)
			this.filter.value = block.filter;
		if (this.details.hidden || drawn === this.drawnKeys || wanted === this.wantedKeys && this.table.matches(":hover, :focus-within"))
			return;
		this.wantedKeys = wanted;
		this.drawnKeys = drawn;
		const canAsk = (instrument.info.metric !== null || (instrument.info.fleet?.aggby.length ?? 0) > 0) && !isReadOnly;
		fillKeys(this.table, { map }, heatState(state, block), window, "selected", (act, key) => this.act(act, key), (key) => {
			if (!canAsk)
				return [];
			const made = button("Instrument", "ask again, for this key and the selected range only", () => this.instrument(key));
			made.setAttribute("aria-label", `Instrument only: ${map.keys[key]}`);
			Object.assign(made.dataset, { act: "instrument", key: String(key) });
			return [made];
		});
	}

	point(t: number | null): void {
		this.marks.point(this.hover ? null : t);
	}
}
