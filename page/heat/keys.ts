// SPDX-License-Identifier: Apache-2.0
/*
 * The table of keys: how much each has, in all and in the cell at hand, and
 * three buttons: only this one, not this one, in a colour.
 */

import { css } from "../common/colour";
import { element } from "../common/dom";
import { grouped, percent } from "../common/units";
import { countKeys, Picture, Window } from "./model";
import { hueOf } from "./palette";
import { readKeys, State } from "./state";

const MOST = 200;

export type KeyAct = "only" | "without" | "hue";
const ACTS: [KeyAct, string, string][] = [
	["only", "Only", "show only this key, and others chosen so"],
	["without", "Hide", "leave this key out"],
	["hue", "Colour", "give this key a colour of its own"],
];

/* Keys to show, the largest in the cell first, then the largest in all. */
export function orderedKeys(names: readonly string[], totals: Map<number, number>, here: Map<number, number>, filter: string): number[] {
	const wanted = filter.toLowerCase();
	return names.map((_, key) => key).filter((key) => names[key].toLowerCase().includes(wanted)).sort((a, b) =>
		(here.get(b) ?? 0) - (here.get(a) ?? 0) || (totals.get(b) ?? 0) - (totals.get(a) ?? 0) || a - b);
}

function makeButton(state: State, key: number, name: string, [act, label, title]: [KeyAct, string, string],
	choose: (act: KeyAct, key: number) => void): HTMLElement {
	const chosen = readKeys(state[act]), isOn = chosen.includes(key);
	const made = element("button", { type: "button", title, "aria-pressed": String(isOn), "aria-label": `${label}: ${name}`,
		"data-act": act, "data-key": String(key) }, label);
	if (act === "hue" && isOn)
		made.style.borderColor = css(hueOf(chosen.indexOf(key)));
	made.addEventListener("click", () => choose(act, key));
	return made;
}

/* `area` is what is selected, `where` what that is called; `more` makes other buttons of a key. */
export function fillKeys(table: HTMLTableElement, picture: Pick<Picture, "map">, state: State, area: Window | null, where: string,
	choose: (act: KeyAct, key: number) => void, more: (key: number) => HTMLElement[] = () => []): void {
	const { map } = picture;
	const totals = countKeys(map), here = area ? countKeys(map, area) : new Map<number, number>();
	const all = Array.from(totals.values()).reduce((a, b) => a + b, 0);
	const allHere = Array.from(here.values()).reduce((a, b) => a + b, 0);
	const keys = orderedKeys(map.keys, totals, here, state.filter);
	const focus = document.activeElement instanceof HTMLElement ? document.activeElement.dataset : {};
	const head = element("tr", {}, element("th", { scope: "col" }, map.keyNames.join(", ") || "key"),
		element("th", { scope: "col" }, "in all"), element("th", { scope: "col" }, where), element("th", { scope: "col" }, "show"));
	const body = element("tbody");
	const swatches = readKeys(state.hue);
	for (const key of keys.slice(0, MOST)) {
		const name = element("th", { scope: "row" }, map.keys[key] || "(empty)");
		if (swatches.includes(key)) {
			name.className = "swatch";
			name.style.borderLeftColor = css(hueOf(swatches.indexOf(key)));
		}
		const total = totals.get(key) ?? 0, inCell = here.get(key) ?? 0;
		body.append(element("tr", {}, name,
			element("td", {}, `${grouped(total)} (${percent(total, all)})`),
			element("td", {}, inCell ? `${grouped(inCell)} (${percent(inCell, allHere)})` : ""),
			element("td", {}, ...ACTS.map((act) => makeButton(state, key, map.keys[key], act, choose)), ...more(key))));
	}
	if (keys.length > MOST)
		body.append(element("tr", {}, element("td", { colspan: "4" }, `and ${grouped(keys.length - MOST)} more: type a part of their name above`)));
	table.replaceChildren(element("thead", {}, head), body);
	/* the button that was pressed is a new one now */
	if (focus.act)
		table.querySelector<HTMLElement>(`[data-act="${focus.act}"][data-key="${Number(focus.key)}"]`)?.focus();
}
