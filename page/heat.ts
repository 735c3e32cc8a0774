// SPDX-License-Identifier: Apache-2.0
/* Heat maps in a file of their own. */

import { element, embeddedData } from "./common/dom";
import { HeatPage } from "./heat/app";
import { readHeat } from "./heat/data";

try {
	new HeatPage(document.body, readHeat(embeddedData()));
} catch (error) {
	document.body.append(element("p", { class: "failure", role: "alert" }, error instanceof Error ? error.message : String(error)));
}
