// SPDX-License-Identifier: Apache-2.0
/* A flame graph in a file of its own. */

import { element, embeddedData } from "./common/dom";
import { FlamePage } from "./flame/app";
import { readProfile } from "./flame/data";

try {
	new FlamePage(document.body, readProfile(embeddedData()));
} catch (error) {
	document.body.append(element("p", { class: "failure", role: "alert" }, error instanceof Error ? error.message : String(error)));
}
