// SPDX-License-Identifier: Apache-2.0
/* Keys and values as a table: sorted by any column, with what they were as a small line. */

import { button, element } from "../common/dom";
import { grouped, percent, quantity } from "../common/units";
import { inOrder } from "./utilization";
import { Scene, View } from "./scene";
import { isSum, Series, seriesOf } from "./series";

const MOST = 200, SPARK_WIDTH = 120, SPARK_HEIGHT = 18;

/* Rows in the wanted order: by a word of the key, or by value. */
export function sorted(series: readonly Series[], keys: readonly string[][], sort: string, isUp: boolean): Series[] {
	const column = Number(sort), sign = isUp ? 1 : -1;
	const order = sort === "" ? (a: Series, b: Series): number => a.total - b.total
		: sort === "last" ? (a: Series, b: Series): number => (a.last || 0) - (b.last || 0)
			: (a: Series, b: Series): number => -inOrder(keys[a.key]?.[column] ?? "", keys[b.key]?.[column] ?? "");
	return [...series].sort((a, b) => sign * order(a, b) || a.key - b.key);
}

export class TableView implements View {
	private readonly search = element("input", { type: "search", placeholder: "part of a key", "aria-label": "part of a key" });
	private readonly table = element("table", { class: "values" });
	readonly element = element("div", { class: "view table" }, element("div", { class: "choices" }, this.search), element("div", { class: "scroll" }, this.table));
	private scene: Scene | null = null;

	constructor() {
		this.search.addEventListener("input", () => this.scene?.wishes.change({ search: this.search.value }, true));
	}

	private unit(): string {
		const { set } = this.scene!;
		return set!.isHistogram ? "events" : set!.info.unit;
	}

	private header(label: string, sort: string): HTMLElement {
		const { block, wishes } = this.scene!, isBy = block.sort === sort;
		const made = button(label + (isBy ? block.isUp ? " ▲" : " ▼" : ""), `sort by ${label}`, () => wishes.change({ sort, isUp: isBy ? !block.isUp : false }));
		made.dataset.sort = sort || "total";
		return element("th", { scope: "col", "aria-sort": isBy ? block.isUp ? "ascending" : "descending" : "none" }, made);
	}

	show(scene: Scene): void {
		const { set, times, block } = scene, isOther = !this.scene || JSON.stringify(this.scene.block) !== JSON.stringify(block);
		this.scene = scene;
		if (!set || (!isOther && this.table.matches(":active")))
			return;
		if (document.activeElement !== this.search)
			this.search.value = block.search;
		const wanted = block.search.toLowerCase(), all = seriesOf(set, times);
		const found = sorted(all.filter(({ name }) => name.toLowerCase().includes(wanted)), set.keys, block.sort, block.isUp);
		const whole = isSum(set) ? all.reduce((sum, { total }) => sum + total, 0) : 0;
		const names = set.info.keyNames.length ? set.info.keyNames : [];
		const focus = (document.activeElement as HTMLElement | null)?.dataset.sort;
		const head = element("tr", {}, ...names.map((name, i) => this.header(name, String(i))),
			this.header(isSum(set) ? "in all" : "last", ""), ...(isSum(set) ? [this.header("last second", "last")] : []),
			...(whole ? [element("th", { scope: "col" }, "share")] : []), element("th", { scope: "col" }, "over time"));
		const body = element("tbody", {}, ...found.slice(0, MOST).map((one) => this.row(one, names.length, whole)));
		if (found.length > MOST)
			body.append(element("tr", {}, element("td", { colspan: String(names.length + 4) }, `and ${grouped(found.length - MOST)} more: type a part of their name above`)));
		this.table.replaceChildren(element("thead", {}, head), body);
		if (focus && this.element.isConnected)
			this.table.querySelector<HTMLElement>(`[data-sort="${focus}"]`)?.focus();
		if (!found.length)
			body.append(element("tr", {}, element("td", { class: "quiet" }, all.length ? "No key has this in its name." : "Nothing was counted in this time.")));
	}

	private row(one: Series, words: number, whole: number): HTMLElement {
		const { set, isDark } = this.scene!, isAdded = isSum(set!);
		return element("tr", {}, ...Array.from({ length: words }, (_, i) => element("th", { scope: "row" }, set!.keys[one.key]?.[i] || "(empty)")),
			element("td", {}, quantity(one.total, this.unit())),
			...(isAdded ? [element("td", {}, quantity(one.last || 0, this.unit()))] : []),
			...(whole ? [this.share(one.total, whole)] : []),
			element("td", {}, spark(one.values, isDark)));
	}

	private share(total: number, whole: number): HTMLElement {
		const bar = element("span", { class: "bar-of" });
		bar.style.width = `${Math.max(0, Math.min(100, 100 * total / whole))}%`;
		return element("td", { class: "share" }, bar, element("span", {}, percent(total, whole)));
	}

	point(): void {}
}

function spark(values: Float64Array, isDark: boolean): HTMLElement {
	const canvas = element("canvas", { class: "spark", "aria-hidden": "true" }), scale = window.devicePixelRatio || 1;
	canvas.width = SPARK_WIDTH * scale;
	canvas.height = SPARK_HEIGHT * scale;
	const context = canvas.getContext("2d"), most = values.reduce((a, b) => b > a ? b : a, 0);
	if (!context || !most)
		return canvas;
	context.scale(scale, scale);
	context.fillStyle = isDark ? "#5ec962" : "#31688e";
	values.forEach((value, i) => {
		const height = value > 0 ? Math.max(1, value / most * SPARK_HEIGHT) : 0;
		context.fillRect(i / values.length * SPARK_WIDTH, SPARK_HEIGHT - height, Math.max(1, SPARK_WIDTH / values.length), height);
	});
	return canvas;
}
