// SPDX-License-Identifier: Apache-2.0
/* Lives of processes: a bar for each, from its birth to its end, below its parent. */

import { css, hash, hsl, textOn } from "../common/colour";
import { element } from "../common/dom";
import { fitted } from "../common/text";
import { quantity } from "../common/units";
import { BOTTOM, LEFT, RIGHT, TOP } from "../heat/canvas";
import { Chart, INKS } from "./chart";
import { Scene, View } from "./scene";
import { family, lanes, Life, livesOf } from "./timeline";
import { timeOfDay } from "./zone";

const ROW = 16, MOST_ROWS = 400;
/* More than these share rows: one for each would not be seen at once. */
const MANY = 60, GAP = 0.006;

export class TimelineView implements View {
	private readonly chart = new Chart((x, y) => this.words(x, y));
	private readonly scroll = element("div", { class: "scroll" }, this.chart.element);
	private readonly note = element("p", { class: "quiet" });
	readonly element = element("div", { class: "view timeline" }, this.scroll, this.note);
	private lives: Life[] = [];
	private rows: number[] = [];
	private scene: Scene | null = null;

	show(scene: Scene): void {
		const { times, isDark, instrument } = scene;
		this.scene = scene;
		const all = family(livesOf(instrument.log), times.from, times.to);
		const isMany = all.length > MANY;
		this.lives = isMany ? all : all.slice(-MOST_ROWS);
		const { rows, count } = isMany ? lanes(all, (times.to - times.from) * GAP) : { rows: all.map((_, i) => i), count: all.length };
		this.rows = rows;
		const isAtEnd = this.scroll.scrollTop + this.scroll.clientHeight >= this.scroll.scrollHeight - ROW;
		const context = this.chart.begin(scene, TOP + BOTTOM + ROW * Math.max(4, Math.min(count, MOST_ROWS)));
		if (!context)
			return;
		const ink = INKS[isDark ? "dark" : "light"], right = this.chart.width - RIGHT, cell = context.measureText("n").width;
		this.lives.forEach((life, i) => {
			const from = Math.max(LEFT, this.chart.x(life.begin ?? times.from)), to = Math.min(right, this.chart.x(life.end ?? times.to));
			const y = TOP + rows[i] * ROW, fill = hsl(360 * hash(life.name), 0.55, isDark ? 0.45 : 0.72);
			context.fillStyle = css(fill);
			context.fillRect(from, y + 1, Math.max(2, to - from), ROW - 2);
			if (life.end === null)
				context.fillRect(right - 3, y, 3, ROW);
			const label = `${life.name} ${life.pid}`, room = to - from - 6;
			const width = (text: string): number => context.measureText(text).width;
			const isInside = width(label) <= room;
			context.fillStyle = isInside || isMany ? css(textOn(fill)) : ink.text;
			context.textAlign = !isInside && !isMany && to + width(label) > right ? "right" : "left";
			context.textBaseline = "middle";
			const at = isInside ? from + 3 : context.textAlign === "right" ? from - 4 : to + 4;
			if (isInside || !isMany)
				context.fillText(fitted(label, 300, cell, width), at, y + ROW / 2 + 1);
			else if (room > 24)
				context.fillText(fitted(life.name, room, cell, width), from + 3, y + ROW / 2 + 1);
			context.textBaseline = "alphabetic";
			if (!isMany)
				this.chart.rowName(context, "·".repeat(Math.min(life.depth, 8)), y + ROW / 2, ink.quiet);
		});
		/* the last ones, unless somebody looks at others */
		if (isAtEnd && !isMany)
			this.scroll.scrollTop = this.scroll.scrollHeight;
		this.chart.canvas.setAttribute("aria-label", `${this.lives.length} processes`);
		this.note.textContent = all.length > this.lives.length ? `The last ${this.lives.length} of ${all.length} processes.` : `${all.length} processes` + (isMany ? "; those that do not live at the same time share rows" : "");
	}

	/* Of those in the row the one at the mouse, or the nearest before it. */
	private words(x: number, y: number): string[] | null {
		const row = Math.floor((y - TOP) / ROW), t = this.chart.timeAt(x);
		const inRow = this.lives.filter((_, i) => this.rows[i] === row);
		const life = inRow.filter((one) => (one.begin ?? -Infinity) <= t).sort((a, b) => (a.begin ?? 0) - (b.begin ?? 0)).pop() ?? inRow[0];
		if (!life || !this.scene)
			return null;
		const lasted = ((life.end ?? this.scene.times.to) - (life.begin ?? this.scene.times.from)) * 1e6;
		return [`${life.name}, process ${life.pid}, child of ${life.parent}`,
			...(life.names.length > 1 ? [life.names.join(" → ")] : []),
			`${life.begin === null ? "began before" : "from " + timeOfDay(life.begin, true)} ${life.end === null ? "and lives" : "to " + timeOfDay(life.end, true)}`,
			...(life.begin !== null ? [quantity(lasted, "ns")] : [])];
	}

	point(t: number | null): void {
		this.chart.marks.point(t);
	}
}
