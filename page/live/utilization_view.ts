// SPDX-License-Identifier: Apache-2.0
/* How busy CPUs or disks are: a row for each, darker where it is busier. */

import { css } from "../common/colour";
import { element } from "../common/dom";
import { percent, quantity } from "../common/units";
import { BOTTOM, TOP } from "../heat/canvas";
import { colourOf } from "../heat/palette";
import { Chart, INKS } from "./chart";
import { Scene, View } from "./scene";
import { Utilization, utilizationOf } from "./utilization";
import { timeOfDay } from "./zone";

const LEAST_ROW = 5, MOST_ROW = 34, HEIGHT = 260, MOST_ROWS = 256;

export class UtilizationView implements View {
	private readonly chart = new Chart((x, y) => this.words(x, y));
	private readonly ramp = element("div", { class: "ramp" });
	readonly element = element("div", { class: "view utilization" }, this.chart.element, this.ramp);
	private scene: Scene | null = null;
	private utilization: Utilization | null = null;
	private row = MOST_ROW;

	show(scene: Scene): void {
		this.scene = scene;
		if (!scene.set)
			return;
		const made = this.utilization = utilizationOf(scene.set, scene.times, scene.instrument.info.full);
		const rows = made.rows.slice(0, MOST_ROWS);
		this.row = Math.max(LEAST_ROW, Math.min(MOST_ROW, (HEIGHT - TOP - BOTTOM) / Math.max(rows.length, 1)));
		const context = this.chart.begin(scene, Math.round(TOP + BOTTOM + this.row * Math.max(rows.length, 1)));
		if (!context)
			return;
		const { times, isDark, state } = scene, ink = INKS[isDark ? "dark" : "light"];
		let named = -Infinity;
		rows.forEach(({ name, shares }, i) => {
			const y = TOP + i * this.row;
			shares.forEach((share, column) => {
				if (!(share > 0))
					return;
				const x = this.chart.x(times.from + column * times.step);
				context.fillStyle = css(colourOf(state.palette, Math.min(1, share), isDark));
				context.fillRect(x, y, this.chart.x(times.from + (column + 1) * times.step) - x + 0.3, this.row > 8 ? this.row - 1 : this.row);
			});
			if (y - named >= 14) {
				named = y;
				this.chart.rowName(context, name || "all", y + this.row / 2, ink.text);
			}
		});
		this.chart.canvas.setAttribute("aria-label", rows.map(({ name, last }) => `${name}: ${percent(last || 0, 1)}`).join("; ") || "no values yet");
		this.fillRamp();
	}

	private fillRamp(): void {
		const { state, isDark, set } = this.scene!, { full, isGuessed } = this.utilization!;
		const steps = Array.from({ length: 12 }, (_, i) => {
			const step = element("span");
			step.style.background = css(colourOf(state.palette, i / 11, isDark));
			return step;
		});
		this.ramp.replaceChildren("idle ", ...steps, ` full (${quantity(full, set!.info.unit)}${isGuessed ? ", the most that was seen" : " each second"})`);
	}

	private words(x: number, y: number): string[] | null {
		const { times, set } = this.scene!, row = this.utilization?.rows[Math.floor((y - TOP) / this.row)];
		const at = Math.floor((this.chart.timeAt(x) - times.from) / times.step);
		if (!row || !(at in row.shares))
			return null;
		return [`${row.name || "all"}, ${timeOfDay(times.from + at * times.step)}`, `${percent(row.shares[at] || 0, 1)} (${quantity(row.values[at] || 0, set!.info.unit)})`];
	}

	point(t: number | null): void {
		this.chart.marks.point(t);
	}
}
