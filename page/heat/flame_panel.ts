// SPDX-License-Identifier: Apache-2.0
/*
 * The flame graph of what is selected, below the map: the same component that
 * pages of flame graphs have (page/flame/app.ts), with another home.
 */

import { element, setText } from "../common/dom";
import { grouped } from "../common/units";
import { FlamePage } from "../flame/app";
import { Profile } from "../flame/data";
import { Home } from "../flame/home";
import { Heat, HeatMap } from "./data";
import { Choice, Window } from "./model";
import { profileOf } from "./stacks";

export interface Wanted {
	heat: Heat;
	map: HeatMap;
	area: Window | null;	/* null: everything */
	choice: Choice;
	isCompared: boolean;
	id?: string;		/* where data change: what stays, stays as it is drawn */
}

export class FlamePanel {
	readonly element = element("section", { class: "panel", "aria-label": "Flame graph", hidden: "" });
	private readonly title = element("h2");
	private readonly place = element("div");
	private readonly home: Home;
	private flame: FlamePage | null = null;
	private shown = "";	/* which stacks */
	private state = "";	/* what the flame graph itself wrote last */

	constructor(home: Home) {
		this.home = {
			...home,
			write: (fragment, isStep) => {
				this.state = fragment;
				home.write(fragment, isStep);
			},
		};
		this.element.append(this.title, this.place);
	}

	show(wanted: Wanted | null): void {
		this.element.hidden = !wanted;
		if (!wanted) {
			this.shown = "";
			return;
		}
		const { heat, map, area, choice, isCompared, id } = wanted;
		const shown = id ?? JSON.stringify([heat.maps.indexOf(map), area, [...choice.only], [...choice.without], isCompared]);
		if (shown === this.shown && this.home.read() === this.state)
			return;
		this.shown = shown;
		this.state = this.home.read();
		const profile = profileOf(heat, map, area, choice, isCompared);
		if (!profile)
			return;
		setText(this.title, this.words(wanted, profile));
		if (this.flame)
			this.flame.show(profile);
		else
			this.flame = new FlamePage(this.place, profile, this.home);
	}

	private words({ heat, map, area, isCompared }: Wanted, { tree }: Profile): string {
		const source = heat.maps[map.stacksIn];
		return `Stacks of ${grouped(tree.total[0])} ${map.countUnit} ${area || isCompared ? "selected" : "in all"}` +
			(isCompared ? `, against ${grouped(tree.beforeTotal?.[0] ?? 0)} others` : "") +
			(source === map ? "" : `, from ${source.name}`);
	}
}
