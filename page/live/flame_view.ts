// SPDX-License-Identifier: Apache-2.0
/*
 * The stacks of all that is shown, as a flame graph.  It is made again while
 * time goes on, but never under somebody's hands: not while the mouse or the
 * keyboard is in it, and not while it is zoomed.
 */

import { button, element, setText } from "../common/dom";
import { FlamePanel } from "../heat/flame_panel";
import { choiceOf, readKeys } from "../heat/state";
import { heatOf, mapOf } from "./cells";
import { Scene, View } from "./scene";
import { heatState } from "./state";

const PATIENCE = 2000;	/* ms between two pictures */
const MOST_KEYS = 200;

export class FlameView implements View {
	private readonly panel: FlamePanel;
	private readonly note = element("span", { class: "quiet" });
	private readonly refresh: HTMLButtonElement;
	private readonly against = element("select", { name: "against", "aria-label": "compare a key with all others" });
	private readonly compare = element("label", { hidden: "" }, "Compare ", this.against);
	private drawnKeys = "";
	readonly element: HTMLElement;
	private scene: Scene | null = null;
	private id = "";
	private drawnAt = 0;

	constructor() {
		this.panel = new FlamePanel({
			isPage: false,
			read: () => this.scene?.block.flame ?? "",
			write: (flame, isStep) => this.scene?.wishes.change({ flame }, !isStep),
		});
		this.refresh = button("Update", "draw what has been counted since", () => this.draw(true));
		this.element = element("div", { class: "view flame-view" }, this.panel.element, element("div", { class: "choices" }, this.compare, this.refresh, this.note));
		this.against.addEventListener("change", () => this.scene?.wishes.change({ only: this.against.value, stacks: this.against.value ? "difference" : "none", flame: "" }));
	}

	show(scene: Scene): void {
		this.scene = scene;
		this.showKeys();
		this.draw(false);
	}

	/* One of the keys against the rest: a canary, a host, a program. */
	private showKeys(): void {
		const { set, block } = this.scene!, keys = (set?.keys ?? []).slice(0, MOST_KEYS), drawn = JSON.stringify(keys);
		this.compare.hidden = !set?.info.keyNames.length || keys.length < 2;
		if (drawn !== this.drawnKeys && document.activeElement !== this.against)
			this.against.replaceChildren(element("option", { value: "" }, "nothing"), ...keys.map((words, key) =>
				element("option", { value: String(key) }, `${words.map((word) => word || "(empty)").join(", ")} with the rest`)));
		this.drawnKeys = drawn;
		if (document.activeElement !== this.against)
			this.against.value = this.isCompared() && readKeys(block.only).length === 1 ? block.only : "";
	}

	private isCompared(): boolean {
		const { stacks, only } = this.scene!.block;
		return stacks === "difference" && only !== "";
	}

	private isBusy(): boolean {
		return this.panel.element.matches(":hover, :focus-within") || /(^|&)(zoom|callerZoom|merge)=/.test(this.scene!.block.flame);
	}

	private draw(isAsked: boolean): void {
		const { instrument, set, times, block, state } = this.scene!;
		if (!set)
			return;
		const id = JSON.stringify([times, block.only, block.without, block.stacks, set.columns.length, instrument.nodes.length]);
		const isBusy = this.id !== "" && this.isBusy();
		setText(this.note, isBusy && this.scene!.isLive ? "Not updated while you are in it." : "");
		this.refresh.hidden = !isBusy;
		if (!isAsked && (id === this.id || isBusy || this.id && this.scene!.isLive && Date.now() - this.drawnAt < PATIENCE))
			return this.panel.show(this.id ? { ...this.wanted(), id: this.id } : null);
		this.id = id;
		this.drawnAt = Date.now();
		if (isAsked)
			this.panel.show(null);
		this.panel.show({ ...this.wanted(), choice: choiceOf(heatState(state, block)), id });
	}

	private wanted(): Parameters<FlamePanel["show"]>[0] & object {
		const { instrument, set, times, state, block } = this.scene!, map = mapOf(instrument, set!, times);
		return { heat: heatOf(instrument, map), map, area: null, choice: choiceOf(heatState(state, block)), isCompared: this.isCompared() };
	}

	point(): void {}
}
