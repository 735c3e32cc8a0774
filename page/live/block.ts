// SPDX-License-Identifier: Apache-2.0
/* One set of an instrumentation, in one of the views that fit it. */

import { element } from "../common/dom";
import { FlameView } from "./flame_view";
import { HeatView } from "./heat_view";
import { LineView } from "./line_view";
import { LogView } from "./log_view";
import { Scene, View } from "./scene";
import { Counted, Instrument } from "./store";
import { TableView } from "./table_view";
import { isLife } from "./timeline";
import { TimelineView } from "./timeline_view";
import { ViewName } from "./types";
import { UtilizationView } from "./utilization_view";

const MAKERS: Record<ViewName, () => View> = {
	heatmap: () => new HeatView(), flame: () => new FlameView(), line: () => new LineView(), table: () => new TableView(),
	log: () => new LogView(), utilization: () => new UtilizationView(), timeline: () => new TimelineView(),
};

export const VIEW_NAMES: Record<ViewName, string> = {
	heatmap: "Heat map", flame: "Flame graph", line: "Lines", table: "Table", log: "Log", utilization: "Utilization", timeline: "Lives",
};

/* Views that fit, the best first. */
export function viewsOf(instrument: Instrument, set: Counted | null): ViewName[] {
	const { view } = instrument.info;
	const fitting: ViewName[] = !set ? ["log", ...(instrument.log.some(isLife) || view === "timeline" ? ["timeline" as const] : [])]
		: set.isHistogram ? ["heatmap", ...(set.info.hasStacks ? ["flame" as const] : []), "line", "table"]
			: [...(set.info.hasStacks ? ["flame" as const] : []), "line", "table", ...(set.info.keyNames.length ? ["utilization" as const] : [])];
	return fitting.includes(view) ? [view, ...fitting.filter((name) => name !== view)] : fitting;
}

export class BlockView {
	readonly element: HTMLElement;
	private readonly title = element("h3");
	private readonly tabs = element("div", { class: "tabs", role: "tablist", "aria-label": "view" });
	private readonly place = element("div");
	private readonly views = new Map<ViewName, View>();
	private current: View | null = null;
	private drawnTabs = "";
	private scene: Scene | null = null;

	constructor(readonly id: string) {
		this.element = element("section", { class: "block", "data-block": id }, element("div", { class: "block-head" }, this.title, this.tabs), this.place);
	}

	show(scene: Scene, hasTitle: boolean): void {
		this.scene = scene;
		const names = viewsOf(scene.instrument, scene.set), wanted = scene.block.view as ViewName;
		const name = names.includes(wanted) ? wanted : names[0];
		this.title.hidden = !hasTitle;
		this.title.textContent = scene.set ? `${scene.set.info.name || "@"}: ${scene.set.info.function}` : "What it prints";
		this.showTabs(names, name);
		let view = this.views.get(name);
		if (!view)
			this.views.set(name, view = MAKERS[name]());
		if (view !== this.current) {
			this.place.replaceChildren(view.element);
			this.current = view;
		}
		view.show(scene);
	}

	private showTabs(names: ViewName[], current: ViewName): void {
		const wanted = JSON.stringify([names, current]);
		if (wanted === this.drawnTabs)
			return;
		this.drawnTabs = wanted;
		const hadFocus = this.tabs.contains(document.activeElement);
		this.tabs.hidden = names.length < 2;
		this.tabs.replaceChildren(...names.map((name) => {
			const tab = element("button", { type: "button", role: "tab", "aria-selected": String(name === current), "data-view": name }, VIEW_NAMES[name]);
			tab.addEventListener("click", () => this.scene?.wishes.change({ view: name === names[0] ? "" : name }));
			return tab;
		}));
		if (hadFocus)
			this.tabs.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
	}

	point(t: number | null): void {
		this.current?.point(t);
	}
}
