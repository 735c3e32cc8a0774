// SPDX-License-Identifier: Apache-2.0
/*
 * Elements are made here, and text gets into them as text.  Nothing in page/
 * uses innerHTML or its like: what is shown comes from traced programs.
 */

type Content = Node | string;

export function element<Name extends keyof HTMLElementTagNameMap>(
	name: Name, attributes: Record<string, string> = {}, ...content: Content[]): HTMLElementTagNameMap[Name] {
	const made = document.createElement(name);
	for (const [key, value] of Object.entries(attributes))
		made.setAttribute(key, value);
	made.append(...content);
	return made;
}

/* Assigned only when it differs: live regions speak at each assignment. */
export function setText(node: Node, text: string): void {
	if (node.textContent !== text)
		node.textContent = text;
}

export function button(label: string, title: string, act: () => void): HTMLButtonElement {
	const made = element("button", { type: "button", title }, label);
	made.addEventListener("click", act);
	return made;
}

/* A file in the browser's directory for downloads. */
export function download(name: string, type: string, content: string): void {
	const url = URL.createObjectURL(new Blob([content], { type }));
	const link = element("a", { href: url, download: name });
	document.body.append(link);
	link.click();
	link.remove();
	setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/* The data that page_write() put into the file. */
export function embeddedData(): unknown {
	return JSON.parse(document.getElementById("data")?.textContent ?? "null");
}
