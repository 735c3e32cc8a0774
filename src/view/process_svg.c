/* SPDX-License-Identifier: Apache-2.0 */
/* What the SVG files about processes share: frame, texts, time axis. */
#include <string.h>

#include "view/process.h"
#include "view/write.h"

enum { MARKS = 8 }; /* of an axis, about */

static void put_escaped(FILE *out, const char *bytes, size_t count)
{
	struct text text = { 0 };

	xml_add(&text, bytes, count);
	fwrite(text_str(&text), 1, text.n, out);
	text_free(&text);
}

void svg_begin(FILE *out, double width, double height, const char *title)
{
	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" font-family=\"monospace\" font-size=\"%d\" fill=\"#222\">\n"
		"<title>",
		width, height, width, height, SVG_FONT);
	put_escaped(out, title, strlen(title));
	fputs("</title>\n<style>:root{color-scheme:light dark}"
	      ".paper{fill:#fff}.axis{stroke:#ddd}.failed{fill:#b2182b}"
	      "@media screen and (prefers-color-scheme:dark){svg{fill:#ececec}"
	      ".paper{fill:#17181a}.axis{stroke:#444}.failed{fill:#ff9d9d}"
	      ".exec{fill:#fff}.box{fill:#222}}</style>\n"
	      "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n",
	      out);
	svg_text(out, SVG_PAD, SVG_PAD + SVG_FONT, " font-weight=\"bold\"",
		 title, strlen(title));
}

void svg_end(FILE *out)
{
	fputs("</svg>\n", out);
}

void svg_text(FILE *out, double x, double y, const char *attributes,
	      const char *bytes, size_t count)
{
	fprintf(out, "<text x=\"%.1f\" y=\"%.1f\"%s>", x, y, attributes);
	put_escaped(out, bytes, count);
	fputs("</text>\n", out);
}

void svg_hover(FILE *out, const char *bytes, size_t count)
{
	fputs("<title>", out);
	put_escaped(out, bytes, count);
	fputs("</title>", out);
}

void put_duration(struct text *out, uint64_t ns)
{
	static const struct {
		uint64_t size;
		const char *name;
	} units[] = { { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" } };

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (ns < units[i].size)
			continue;
		double value = (double)ns / (double)units[i].size;

		text_printf(out, value < 10 ? "%.2f %s" : "%.1f %s", value,
			    units[i].name);
		return;
	}
	text_printf(out, "%llu ns", (unsigned long long)ns);
}

/* A round time: 1, 2 or 5 times a power of ten. */
static uint64_t step_of(uint64_t ns)
{
	static const unsigned steps[] = { 1, 2, 5 };

	for (uint64_t power = 1; power <= UINT64_MAX / 100; power *= 10)
		for (size_t i = 0; i < 3; i++)
			if (power * steps[i] >= ns / MARKS)
				return power * steps[i];
	return UINT64_MAX / 2;
}

void svg_axis(FILE *out, double x, double width, double top, double bottom,
	      uint64_t ns)
{
	uint64_t step = step_of(ns);
	struct text text = { 0 };

	for (uint64_t at = 0; ns && at <= ns; at += step) {
		double place = x + width * (double)at / (double)ns;

		fprintf(out, "<path class=\"axis\" d=\"M%.1f %.1fV%.1f\"/>\n",
			place, top, bottom);
		text_clear(&text);
		put_duration(&text, at);
		svg_text(out, place + 2, bottom + SVG_FONT, "", text_str(&text),
			 text.n);
	}
	text_free(&text);
}
