// SPDX-License-Identifier: Apache-2.0
/* What colours mean, below a map: values, or keys that have colours of their own. */

import { css, Rgb } from "../common/colour";
import { element } from "../common/dom";
import { grouped } from "../common/units";
import { Picture } from "./model";
import { colourOf, hueOf, OTHER } from "./palette";
import { readKeys, State } from "./state";

const STEPS = 12;

function swatch(colour: Rgb, label: string): HTMLElement {
	const sample = element("span");
	sample.style.background = css(colour);
	return element("div", { class: "swatch" }, sample, label.length > 60 ? label.slice(0, 59) + "…" : label);
}

export function fillRamp(ramp: HTMLElement, picture: Picture, state: Pick<State, "hue" | "palette">, isDark: boolean): void {
	const { keys } = picture.map;
	const hues = readKeys(state.hue).filter((key) => key < keys.length);
	if (hues.length) {
		ramp.replaceChildren(...hues.map((key, place) => swatch(hueOf(place), keys[key] || "(empty)")), swatch(OTHER, "others"), "fainter: fewer");
		return;
	}
	const steps = Array.from({ length: STEPS }, (_, i) => {
		const step = element("span");
		step.style.background = css(colourOf(state.palette, i / (STEPS - 1), isDark));
		return step;
	});
	let most = 0;
	for (const value of picture.values)
		most = Math.max(most, value);
	ramp.replaceChildren("few ", ...steps, ` many (at most ${grouped(Math.round(most))} in a cell)`);
}
