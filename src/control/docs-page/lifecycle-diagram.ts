import type { AnyLifecycle } from "../core/lifecycle-tables.ts";
import { Html, html } from "./html.ts";
import { webhookAnchor } from "./webhooks.ts";

const BOX = { width: 170, height: 34, gapX: 120, gapY: 40 } as const;
const MARGIN = 24;
const CHARACTER_WIDTH = 6.2;

interface DiagramPlace {
  state: string;
  column: number;
  row: number;
}

const statesOf = ({ starts, ends, moves }: AnyLifecycle) => [
  ...new Set([starts, ...moves.flatMap(({ from, to }) => [from, to]), ...ends]),
];

/** Number of moves from the start to a state: its column. */
const columnsOf = (table: AnyLifecycle) => {
  const columns = new Map([[table.starts, 0]]);
  for (const [state, column] of columns)
    for (const { from, to } of table.moves)
      if (from === state && !columns.has(to)) columns.set(to, column + 1);
  return columns;
};

const placesOf = (table: AnyLifecycle): DiagramPlace[] => {
  const columns = columnsOf(table);
  const filled = new Map<number, number>();
  return statesOf(table).map((state) => {
    const column = columns.get(state) ?? 0;
    const row = filled.get(column) ?? 0;
    filled.set(column, row + 1);
    return { state, column, row };
  });
};

const left = ({ column }: DiagramPlace) => MARGIN + column * (BOX.width + BOX.gapX);
const top = ({ row }: DiagramPlace) => MARGIN + row * (BOX.height + BOX.gapY);
const middle = (place: DiagramPlace) => top(place) + BOX.height / 2;

const boxOf = (place: DiagramPlace, { starts, ends }: AnyLifecycle) => {
  const kind = [place.state === starts && "starts", ends.includes(place.state) && "ends"];
  return html`<g class="state ${kind.filter(Boolean).join(" ")}">
    <rect x="${left(place)}" y="${top(place)}" width="${BOX.width}" height="${BOX.height}" rx="6"/>
    <text x="${left(place) + BOX.width / 2}" y="${middle(place) + 4}">${place.state}</text></g>`;
};

/** Moves between two states share one line, which names them all. */
const linesOf = ({ moves }: AnyLifecycle) => {
  const lines = new Map<string, { from: string; to: string; on: string[] }>();
  for (const { from, to, on } of moves) {
    const key = `${from} ${to}`;
    const line = lines.get(key) ?? { from, to, on: [] };
    line.on.push(on);
    lines.set(key, line);
  }
  return [...lines.values()];
};

const labelOf = (x: number, y: number, on: readonly string[]) => {
  const text = on.join(", ");
  const width = text.length * CHARACTER_WIDTH + 8;
  return html`<rect class="label" x="${x - width / 2}" y="${y - 9}" width="${width}" height="16"/>
    <text class="label" x="${x}" y="${y + 3}">${text}</text>`;
};

const forward = (from: DiagramPlace, to: DiagramPlace, on: readonly string[]) => {
  const [x1, x2] = [left(from) + BOX.width, left(to) - 6];
  const [y1, y2] = [middle(from), middle(to)];
  return html`<path d="M${x1} ${y1} C${x1 + 40} ${y1} ${x2 - 40} ${y2} ${x2} ${y2}"/>${labelOf(
    (x1 + x2) / 2,
    (y1 + y2) / 2,
    on,
  )}`;
};

const aside = (from: DiagramPlace, to: DiagramPlace, on: readonly string[]) => {
  const x = left(from) + BOX.width / 2 + 40;
  const [y1, y2] = [top(from) + BOX.height, top(to) + BOX.height + 6];
  const low = Math.max(y1, y2) + BOX.gapY * 0.7;
  const toX = left(to) + BOX.width / 2 - 40;
  return html`<path d="M${x} ${y1} C${x} ${low} ${toX} ${low} ${toX} ${y2}"/>${labelOf(
    (x + toX) / 2,
    low - 8,
    on,
  )}`;
};

/** A state machine as a drawing; its table beside it says the same in words. */
export const lifecycleDiagram = (name: string, table: AnyLifecycle): Html => {
  const places = placesOf(table);
  const placeOf = (state: string) => places.find((one) => one.state === state) as DiagramPlace;
  const width = MARGIN * 2 + Math.max(...places.map(left)) + BOX.width;
  const height = MARGIN + Math.max(...places.map(top)) + BOX.height + BOX.gapY;
  const lines = linesOf(table).map(({ from, to, on }) => {
    const ends = [placeOf(from), placeOf(to)] as const;
    return ends[1].column > ends[0].column ? forward(...ends, on) : aside(...ends, on);
  });
  const id = `arrow-${name.toLowerCase().replaceAll(" ", "-")}`;
  return html`<svg class="lifecycle" role="img" aria-label="Lifecycle of: ${name}"
    viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
    <defs><marker id="${id}" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="8" markerHeight="8"
      orient="auto"><path class="head" d="M0 0 L8 4 L0 8 z"/></marker></defs>
    <g class="moves" marker-end="url(#${id})">${lines.map(
      (line) => new Html(line.text.replace("<path ", `<path marker-end="url(#${id})" `)),
    )}</g>${places.map((place) => boxOf(place, table))}</svg>`;
};

const webhookLink = (type: string): Html => html`<a href="#${webhookAnchor(type)}">${type}</a>`;

/** The same as a table: every move, and the webhook it sends. */
export const lifecycleTable = (table: AnyLifecycle): Html =>
  html`<table><thead><tr><th scope="col">from</th><th scope="col">trigger</th>
    <th scope="col">to</th><th scope="col">webhook</th></tr></thead><tbody>
    ${table.moves.map(
      ({ from, on, to, emits }) =>
        html`<tr><td>${from}</td><td>${on}</td><td>${to}</td><td>${emits ? webhookLink(emits) : "–"}</td></tr>`,
    )}</tbody></table>`;
