// SPDX-License-Identifier: Apache-2.0
/* What a program prints, the last line at the bottom; scrolling up stops it from moving. */

import { element, setText } from "../common/dom";
import { Scene, View } from "./scene";
import { Line } from "./types";
import { timeOfDay } from "./zone";

const MOST = 1000;

export class LogView implements View {
	private readonly search = element("input", { type: "search", placeholder: "lines with", "aria-label": "only lines with this text" });
	private readonly count = element("span", { class: "quiet" });
	private readonly lines = element("div", { class: "lines", tabindex: "0", role: "log", "aria-label": "lines", "aria-live": "off" });
	readonly element = element("div", { class: "view log" }, element("div", { class: "choices" }, this.search, this.count), this.lines);
	private scene: Scene | null = null;
	private drawn: Line[] = [];

	constructor() {
		this.search.addEventListener("input", () => this.scene?.wishes.change({ search: this.search.value }, true));
	}

	show(scene: Scene): void {
		this.scene = scene;
		const { instrument, times, block, isLive } = scene, wanted = block.search.toLowerCase();
		if (document.activeElement !== this.search)
			this.search.value = block.search;
		/* what was printed since the last whole second is news, too */
		const to = isLive ? Infinity : times.to;
		const inTime = instrument.log.filter(({ t }) => t >= times.from && t < to);
		const found = inTime.filter(({ text, probe }) => text.toLowerCase().includes(wanted) || probe.toLowerCase().includes(wanted));
		const shown = found.slice(-MOST);
		setText(this.count, `${found.length} lines${wanted ? ` of ${inTime.length}` : ""}${found.length > MOST ? `, the last ${MOST}` : ""}`);
		if (shown.length === this.drawn.length && shown.every((line, i) => line === this.drawn[i]))
			return;
		const isAtEnd = this.lines.scrollTop + this.lines.clientHeight >= this.lines.scrollHeight - 8;
		const last = this.drawn[this.drawn.length - 1], from = last && !wanted ? shown.indexOf(last) + 1 : 0;
		const keeps = from > 0 && this.drawn[0] && shown.indexOf(this.drawn[0]) >= 0;
		const made = shown.slice(keeps ? from : 0).map(({ t, probe, text }) => element("div", { class: "one-line" },
			element("time", {}, timeOfDay(t, true)), element("span", { class: "text", title: probe }, text)));
		if (keeps)
			this.lines.append(...made);
		else
			this.lines.replaceChildren(...made);
		this.drawn = shown;
		if (isAtEnd)
			this.lines.scrollTop = this.lines.scrollHeight;
	}

	point(): void {}
}
