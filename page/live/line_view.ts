// SPDX-License-Identifier: Apache-2.0
/* Values over time, a line for each of the largest keys. */

import { css } from "../common/colour";
import { element } from "../common/dom";
import { hasPrefixes, quantity } from "../common/units";
import { BOTTOM, LEFT, RIGHT, TOP } from "../heat/canvas";
import { isChosen } from "../heat/model";
import { hueOf } from "../heat/palette";
import { choiceOf } from "../heat/state";
import { toggled } from "../heat/state";
import { valueTicks } from "./axis";
import { Chart, INKS } from "./chart";
import { Scene, View } from "./scene";
import { highest, isSum, largest, Series, seriesOf } from "./series";
import { heatState } from "./state";
import { timeOfDay } from "./zone";

const MOST_LINES = 8, HEIGHT = 220;

export class LineView implements View {
	private readonly chart = new Chart((x) => this.words(x));
	private readonly legend = element("div", { class: "legend-keys", role: "group", "aria-label": "keys" });
	readonly element = element("div", { class: "view line" }, this.chart.element, this.legend);
	private scene: Scene | null = null;
	private series: Series[] = [];
	private most = 1;
	private drawnLegend = "";

	private unit(): string {
		const { set, instrument } = this.scene!;
		return set?.isHistogram ? instrument.info.unit === set.info.unit ? "events" : instrument.info.unit : set?.info.unit ?? "";
	}

	private colour(place: number): string {
		return css(hueOf(place));
	}

	show(scene: Scene): void {
		const { set, times } = scene;
		this.scene = scene;
		if (!set)
			return;
		const choice = choiceOf(heatState(scene.state, scene.block));
		this.series = largest(seriesOf(set, times, (key) => isChosen(choice, key)), MOST_LINES, isSum(set));
		const context = this.chart.begin(scene, HEIGHT);
		if (!context)
			return;
		const ink = INKS[scene.isDark ? "dark" : "light"], ticks = valueTicks(highest(this.series.filter(({ key }) => key >= 0)), this.unit());
		this.most = ticks[ticks.length - 1];
		for (const tick of ticks) {
			const y = this.y(tick);
			context.fillStyle = ink.grid;
			context.fillRect(LEFT, y - 0.5, this.chart.width - LEFT - RIGHT, 1);
			this.chart.rowName(context, quantity(tick, hasPrefixes(this.unit()) ? this.unit() : ""), y, ink.text);
		}
		/* the largest last, on top of the others */
		for (let place = this.series.length - 1; place >= 0; place--)
			if (this.series[place].key >= 0)
				this.drawLine(context, this.series[place], this.colour(place));
		this.chart.canvas.setAttribute("aria-label", this.series.map(({ name, last }) => `${name || "all"}: ${quantity(last, this.unit())}`).join("; ") || "no values yet");
		this.fillLegend();
	}

	private y(value: number): number {
		return TOP + (1 - value / this.most) * (HEIGHT - TOP - BOTTOM);
	}

	private drawLine(context: CanvasRenderingContext2D, { values }: Series, colour: string): void {
		const { times } = this.scene!;
		let isDown = false;
		context.beginPath();
		values.forEach((value, i) => {
			if (!Number.isNaN(value)) {
				const x = this.chart.x(times.from + (i + 0.5) * times.step);
				if (isDown)
					context.lineTo(x, this.y(value));
				else
					context.moveTo(x, this.y(value));
				if (!isDown && Number.isNaN(values[i + 1] ?? NaN))
					context.lineTo(x + 1, this.y(value));
			}
			isDown = !Number.isNaN(value);
		});
		context.strokeStyle = colour;
		context.lineWidth = 2;
		context.lineJoin = "round";
		context.stroke();
	}

	private words(x: number): string[] | null {
		const { times } = this.scene!, at = Math.floor((this.chart.timeAt(x) - times.from) / times.step);
		const here = this.series.filter(({ values }) => at in values && !Number.isNaN(values[at]));
		return at < 0 ? null : [timeOfDay(times.from + at * times.step),
			...here.map(({ name, values }) => `${name || "all"}: ${quantity(values[at], this.unit())}`)];
	}

	private fillLegend(): void {
		const { block, wishes } = this.scene!;
		const drawn = JSON.stringify([this.series.map(({ key, name, last }) => [key, name, last]), block.only]);
		if (drawn === this.drawnLegend || this.legend.matches(":hover, :focus-within"))
			return;
		this.drawnLegend = drawn;
		this.legend.replaceChildren(...this.series.map(({ key, name, last }, place) => {
			const sample = element("span", { class: "sample" });
			sample.style.backgroundColor = this.colour(place);
			const label = `${name || "all"} `, value = element("b", {}, Number.isNaN(last) ? "–" : quantity(last, this.unit()));
			if (key < 0 || !name)
				return element("span", { class: "quiet" }, ...(key < 0 ? [] : [sample]), label, value, key < 0 ? " (not drawn)" : "");
			const made = element("button", { type: "button", title: "only this line, or all again" }, sample, label, value);
			made.addEventListener("click", () => wishes.change({ only: toggled(block.only, key) }));
			return made;
		}));
	}

	point(t: number | null): void {
		this.chart.marks.point(t);
	}
}
