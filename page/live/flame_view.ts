// SPDX-License-Identifier: Apache-2.0
/*
 * The stacks of all that is shown, as a flame graph.  It is made again while
 * time goes on, but never under somebody's hands: not while the mouse or the
 * keyboard is in it, and not while it is zoomed.
 */

import { button, element, setText } from "../common/dom";
import { FlamePanel } from "../heat/flame_panel";
import { choiceOf } from "../heat/state";
import { heatOf, mapOf } from "./cells";
import { Scene, View } from "./scene";
import { heatState } from "./state";

const PATIENCE = 2000;	/* ms between two pictures */

export class FlameView implements View {
	private readonly panel: FlamePanel;
	private readonly note = element("span", { class: "quiet" });
	private readonly refresh: HTMLButtonElement;
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
		this.element = element("div", { class: "view flame-view" }, this.panel.element, element("div", { class: "choices" }, this.refresh, this.note));
	}

	show(scene: Scene): void {
		this.scene = scene;
		this.draw(false);
	}

	private isBusy(): boolean {
		return this.panel.element.matches(":hover, :focus-within") || /(^|&)(zoom|callerZoom|merge)=/.test(this.scene!.block.flame);
	}

	private draw(isAsked: boolean): void {
		const { instrument, set, times, block, state } = this.scene!;
		if (!set)
			return;
		const id = JSON.stringify([times, block.only, block.without, set.columns.length, instrument.nodes.length]);
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
		return { heat: heatOf(instrument, map), map, area: null, choice: choiceOf(heatState(state, block)), isCompared: false };
	}

	point(): void {}
}
