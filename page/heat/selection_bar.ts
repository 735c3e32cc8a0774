// SPDX-License-Identifier: Apache-2.0
/*
 * What can be done with the selection: a row of buttons below the map, which is
 * always there, so that nothing jumps when somebody selects.
 */

import { button, element, setText } from "../common/dom";
import { State } from "./state";

export interface Commands {
	zoom(): void;
	stacks(which: State["stacks"]): void;
	clear(): void;
}

export class SelectionBar {
	readonly element: HTMLElement;
	private readonly hint = element("span", { class: "hint" });
	private readonly zoom: HTMLButtonElement;
	private readonly graph: HTMLButtonElement;
	private readonly difference: HTMLButtonElement;
	private readonly clear: HTMLButtonElement;

	constructor(commands: Commands) {
		this.zoom = button("Zoom to selection", "Enter", () => commands.zoom());
		this.graph = button("Flame graph", "the stacks of the selection, or of everything (f)", () => commands.stacks("selection"));
		this.difference = button("Against the rest", "the stacks of the selection compared with all others (d)", () => commands.stacks("difference"));
		this.clear = button("Clear", "select nothing (Escape)", () => commands.clear());
		this.element = element("div", { class: "selection", role: "group", "aria-label": "selection" },
			this.zoom, this.graph, this.difference, this.clear, this.hint);
	}

	show(hasStacks: boolean, stacks: State["stacks"], isSelected: boolean): void {
		this.zoom.disabled = this.clear.disabled = !isSelected;
		this.graph.hidden = this.difference.hidden = !hasStacks;
		this.difference.disabled = !isSelected;
		this.graph.setAttribute("aria-pressed", String(stacks === "selection" || stacks === "difference" && !isSelected));
		this.difference.setAttribute("aria-pressed", String(stacks === "difference" && isSelected));
		setText(this.hint, isSelected ? "" : "Drag over the map to select a rectangle, or press Shift and the arrow keys.");
	}
}
