import { Marked, type Tokens } from "marked";
import { anchorOf } from "./doc-pages.ts";
import { Html, html } from "./html.ts";

/** Path that serves the docs; links between pages lead there. */
export const DOCS_PATH = "/_sim/docs";

/** Path of the script and the style sheet of the docs. */
export const FILES_PATH = `${DOCS_PATH}/files`;

/** A link of one page to another, as the server has it; others stay as they are. */
const hrefOf = (href: string, topic: string) => {
  if (/^[a-z]+:/i.test(href)) return href;
  const { pathname, hash } = new URL(href, `http://docs/${topic}.md`);
  if (href.startsWith("#")) return `${DOCS_PATH}/${topic}${hash}`;
  return pathname.endsWith(".md")
    ? `${DOCS_PATH}${pathname.slice(0, -".md".length)}${hash}`
    : undefined;
};

/** Rendering of headings: with their anchors on a page, as bold lines within another page. */
type Headings = "anchored" | "flat";

/**
 * Markdown as markup.
 * @param topic of the page that the text is from: its links are relative to it
 */
export const docHtml = (text: string, topic: string, headings: Headings = "anchored"): Html => {
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text: heading }: Tokens.Heading) {
        const inner = this.parser.parseInline(tokens);
        return headings === "flat"
          ? `<p><strong>${inner}</strong></p>\n`
          : `<h${depth} id="${anchorOf(heading)}">${inner}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const target = hrefOf(href, topic);
        const inner = this.parser.parseInline(tokens);
        return target === undefined ? inner : html`<a href="${target}">${new Html(inner)}</a>`.text;
      },
      image: ({ text: alternative }: Tokens.Image) => html`${alternative}`.text,
      html: ({ raw }: Tokens.HTML | Tokens.Tag) => html`${raw}`.text,
    },
  });
  return new Html(marked.parse(text, { async: false }));
};
