// SPDX-License-Identifier: Apache-2.0
/*
 * What lies over every picture with a time axis: annotations, and the time that
 * the mouse is at in any of them.
 */

import { element } from "../common/dom";
import { LEFT, RIGHT } from "../heat/canvas";
import { Times } from "./clock";
import { Annotation } from "./types";
import { timeOfDay } from "./zone";

export function xOf(times: Times, t: number, width: number): number {
	return LEFT + (t - times.from) / (times.to - times.from) * (width - LEFT - RIGHT);
}

export function timeAt(times: Times, x: number, width: number): number {
	return times.from + (x - LEFT) / Math.max(1, width - LEFT - RIGHT) * (times.to - times.from);
}

export class Marks {
	readonly element = element("div", { class: "marks" });
	private readonly cursor = element("div", { class: "cursor", hidden: "" });
	private times: Times | null = null;
	private drawn = "";

	constructor() {
		this.element.append(this.cursor);
	}

	show(times: Times, annotations: readonly Annotation[]): void {
		const width = this.element.clientWidth;
		this.times = times;
		const inside = annotations.filter(({ t }) => t >= times.from && t < times.to);
		const drawn = JSON.stringify([times, width, inside]);
		if (drawn === this.drawn)
			return;
		this.drawn = drawn;
		this.element.replaceChildren(this.cursor, ...inside.map(({ t, text }) => {
			const mark = element("div", { class: "mark", title: `${timeOfDay(t)} ${text}` }, element("span", {}, text));
			mark.style.left = `${xOf(times, t, width)}px`;
			return mark;
		}));
	}

	point(t: number | null): void {
		const { times } = this;
		this.cursor.hidden = t === null || !times || t < times.from || t > times.to;
		if (t !== null && times)
			this.cursor.style.left = `${xOf(times, t, this.element.clientWidth)}px`;
	}
}
