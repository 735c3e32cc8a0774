// SPDX-License-Identifier: Apache-2.0
/* What each key does. */

import { button, element } from "../common/dom";

const KEYS: [string, [string, string][]][] = [
	["Everywhere", [["?", "this list"], ["Space", "pause, or go on"], ["[ and ]", "half a window earlier, later"], ["l", "live again"],
		["n", "a new question"], ["m", "mark this time with a text"], ["j and k", "next, previous panel"], ["Esc", "back"]]],
	["Panel", [["Tab", "through all controls"], ["e", "this panel alone, or all"], ["p", "pin"], ["a", "ask again, otherwise"], ["x", "stop"], ["Delete", "delete"]]],
	["Heat map", [["arrows", "choose a cell"], ["Shift arrows", "choose a rectangle"], ["Enter", "to the keys of the selection"], ["f", "flame graph of the selection"],
		["d", "against the rest"], ["o", "instrument only this"], ["Esc", "select nothing"]]],
	["Flame graph", [["arrows", "from frame to frame"], ["Enter", "zoom"], ["s", "callers and callees"], ["/", "search"], ["n", "next match"], ["Esc", "reset"]]],
	["Editor", [["Ctrl Space", "complete"], ["arrows, Enter", "choose a completion"], ["Ctrl Enter", "start the program"]]],
	["Mouse", [["drag over a map", "choose a rectangle"], ["drag a time axis", "earlier, later"], ["wheel with Shift", "earlier, later"], ["double click a title", "rename"]]],
];

export class Help {
	readonly element = element("dialog", { class: "help", "aria-label": "Keys" });

	constructor() {
		this.element.append(element("h2", {}, "Keys"), element("div", { class: "help-grid" }, ...KEYS.map(([title, keys]) =>
			element("section", {}, element("h3", {}, title), element("dl", {}, ...keys.flatMap(([key, what]) =>
				[element("dt", {}, element("kbd", {}, key)), element("dd", {}, what)]))))),
			button("Close", "Escape", () => this.element.close()));
	}

	toggle(): void {
		if (this.element.open)
			this.element.close();
		else
			this.element.showModal();
	}
}
