// SPDX-License-Identifier: Apache-2.0
/*
 * Above all panels: the clock that they share, what the page looks like, what
 * can be done with all of it.
 */

import { button, element, setText } from "../common/dom";
import { visible } from "../common/text";
import { grouped, quantity } from "../common/units";
import { COLOURINGS, HEIGHTS } from "../heat/model";
import { PALETTES } from "../heat/palette";
import { QUANTITIES, THEMES } from "../heat/state";
import { SNAPSHOT } from "./api";
import { earliest, Present, SPANS, Times } from "./clock";
import { INITIAL, State } from "./state";
import { Store } from "./store";
import { timeOfDay, zoneName } from "./zone";

export interface TopWishes {
	change(part: Partial<State>, isSmall?: boolean): void;
	step(direction: number): void;
	moveTo(until: number): void;
	pause(): void;
	live(): void;
	annotate(): void;
	help(): void;
}

const WORDS: Record<string, string> = {
	rank: "by rank", linear: "linear", log: "logarithmic", count: "count", sum: "sum of values (estimated)", rows: "equal rows",
	auto: "like the system", light: "light", dark: "dark",
};

export class TopBar {
	readonly element: HTMLElement;
	private readonly host = element("span", { class: "host" });
	private readonly kind = element("span", { class: "badge ended" });
	private readonly memory = element("span", { class: "quiet memory" });
	private readonly time = element("output", { class: "time" });
	private readonly scrubber = element("input", { type: "range", class: "scrubber", "aria-label": "when: scroll back over what is kept" });
	private readonly pause: HTMLButtonElement;
	private readonly liveButton: HTMLButtonElement;
	private readonly clock: HTMLElement;
	private readonly fresh: HTMLButtonElement;
	private readonly home: HTMLButtonElement;
	private readonly kept = element("span", { class: "top-acts" });
	private readonly controls: ((state: State) => void)[] = [];

	constructor(private readonly wishes: TopWishes, private readonly isReadOnly: boolean) {
		this.home = button("dtlive", "all panels", () => wishes.change({ page: "", large: 0 }));
		this.home.className = "brand";
		this.pause = button("❚❚ Pause", "hold the picture, or go on (Space)", () => wishes.pause());
		this.liveButton = button("● Live", "the present again (l)", () => wishes.live());
		this.fresh = button("+ New", "another question (n)", () => wishes.change({ page: "start" }));
		this.fresh.classList.add("main-act");
		this.scrubber.addEventListener("input", () => wishes.moveTo(Number(this.scrubber.value)));
		this.clock = element("div", { class: "clock", role: "group", "aria-label": "time" },
			this.pause, button("◀", "earlier ([)", () => wishes.step(-1)), this.scrubber, button("▶", "later (])", () => wishes.step(1)), this.liveButton,
			this.select("span", "", SPANS.map(String), (value) => Number(value) < 60 ? `${value} s` : `${Number(value) / 60} min`), this.time);
		const acts = element("div", { class: "top-acts" });
		if (!isReadOnly)
			this.kept.append(button("Mark", "mark this time with a text (m)", () => wishes.annotate()),
				element("a", { href: SNAPSHOT, download: "dtlive.html", class: "button", title: "all that is kept, as one HTML file" }, "Snapshot"));
		acts.append(this.kept, this.makeDisplay(), button("?", "keys", () => wishes.help()));
		this.element = element("header", { class: "top" },
			element("div", { class: "top-line" }, this.home, this.host, this.kind, ...(isReadOnly ? [] : [this.fresh]), this.clock, this.memory, acts));
	}

	private select(name: "span" | "theme" | "palette" | "colour" | "quantity" | "height", label: string, values: readonly string[],
		words = (value: string): string => WORDS[value] ?? value): HTMLElement {
		const made = element("select", { name, "aria-label": label || name }, ...values.map((value) => element("option", { value }, words(value))));
		made.addEventListener("change", () => this.wishes.change({ [name]: name === "span" ? Number(made.value) : made.value } as Partial<State>));
		this.controls.push((state) => { made.value = String(state[name]); });
		return element("label", {}, label ? label + " " : "", made);
	}

	private check(name: "p50" | "p90" | "p99" | "average", label: string): HTMLElement {
		const input = element("input", { type: "checkbox", name });
		input.addEventListener("change", () => this.wishes.change({ [name]: input.checked }));
		this.controls.push((state) => { input.checked = state[name]; });
		return element("label", {}, input, label);
	}

	private makeDisplay(): HTMLElement {
		return element("details", { class: "display" }, element("summary", {}, "Display"), element("div", { class: "menu" },
			this.select("theme", "Page", THEMES), this.select("palette", "Palette", PALETTES), this.select("colour", "Colour", COLOURINGS),
			this.select("quantity", "of", QUANTITIES), this.select("height", "Rows", HEIGHTS),
			this.check("p50", "median"), this.check("p90", "90 %"), this.check("p99", "99 %"), this.check("average", "average (estimated)"),
			button("As it was", "the initial display", () => {
				const { theme, palette, colour, quantity: of, height, p50, p90, p99, average } = INITIAL;
				this.wishes.change({ theme, palette, colour, quantity: of, height, p50, p90, p99, average });
			})));
	}

	show(store: Store, state: State, times: Times, present: Present, hasPanels: boolean): void {
		for (const control of this.controls)
			control(state);
		const { status, memory } = store;
		setText(this.host, status ? visible(status.host) : "");
		this.host.title = status ? visible(`${status.kernel}, dtlive ${status.version}`) : "";
		setText(this.memory, memory.limit ? `${quantity(memory.used, "bytes")} of ${quantity(memory.limit, "bytes")}` : "");
		this.memory.title = `what the server keeps, and may keep${status ? `; ${grouped(status.instrumentations?.limit ?? 0)} instrumentations at most` : ""}`;
		this.memory.classList.toggle("bad", memory.limit > 0 && memory.used > 0.9 * memory.limit);
		setText(this.kind, this.isReadOnly ? "snapshot" : status?.replay ? "replay" : "");
		this.kind.hidden = !this.kind.textContent;
		this.clock.hidden = !hasPanels || state.page !== "";
		this.home.disabled = this.kept.hidden = !hasPanels;
		this.fresh.hidden = state.page !== "" || !hasPanels || (status?.replay ?? false);
		setText(this.pause, state.until ? "▶ Go on" : "❚❚ Pause");
		this.pause.setAttribute("aria-pressed", String(state.until !== 0));
		this.liveButton.disabled = !state.until;
		this.scrubber.min = String(earliest(present, state.span));
		this.scrubber.max = String(Math.floor(present.now / present.interval) * present.interval);
		this.scrubber.step = String(present.interval);
		if (!this.scrubber.matches(":active"))
			this.scrubber.value = String(times.to);
		this.scrubber.setAttribute("aria-valuetext", timeOfDay(times.to));
		setText(this.time, `${timeOfDay(times.from)} – ${timeOfDay(times.to)} ${zoneName()}`);
	}
}
