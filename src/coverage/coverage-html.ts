import type { CoverageGroup, CoverageReport } from "../contract/control/coverage.ts";
import { type Html, html } from "../control/docs-page/html.ts";
import { groupWords, itemsMet } from "./coverage-text.ts";

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 .4rem; }
table { width: 100%; border-collapse: collapse; }
td { padding: .25rem .75rem .25rem 0; vertical-align: top; border-top: 1px solid #8884; }
td:first-child { width: 40%; overflow-wrap: anywhere; }
code { font: .85rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
progress { width: 12rem; vertical-align: middle; }
`;

const groupPart = ({ name, met, total, missing, outOfReach }: CoverageGroup): Html => html`
<h2 id="${name}">${groupWords(name)}: ${met} of ${total}
<progress value="${met}" max="${total}">${met} of ${total}</progress></h2>
${
  missing.length === 0
    ? html`<p>Nothing is missing.</p>`
    : html`<table>${missing.map(
        (item) => html`<tr><td>${item.name}</td><td><code>${item.exercise}</code></td></tr>`,
      )}</table>`
}
${outOfReach.map(
  (item) => html`<p>The settings rule out ${item.name}: it needs <code>${item.needs}</code>.</p>`,
)}`;

/** A report as one page that needs no other file (spec/coverage.md#report). */
export const coveragePage = (report: CoverageReport): string => {
  const { score, groups } = report;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Coverage ${score} %</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Coverage ${score} %</h1>
<p>${itemsMet(report)} were met. Each line beside a missing item meets it: a call of the platform,
or a command.</p>
${groups.map(groupPart)}
</body>
</html>
`;
  return page.text;
};
