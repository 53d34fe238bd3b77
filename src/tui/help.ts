import { KEYS, keySign } from "./keys.ts";
import { fitLine, type Line, lineWidth, span, textLine } from "./line.ts";
import { ruleLine } from "./rule.ts";
import type { Scene } from "./scene.ts";
import type { RowContext } from "./table.ts";
import { padTo, widthOf } from "./text-width.ts";

const LOOKS_AT = KEYS.filter(({ focus }) => focus.includes("list") || focus.includes("detail"));

const signsOf = ({ keys }: (typeof KEYS)[number], most: number) =>
  keys.slice(0, most).map(keySign).join(" ");

const widest = (texts: readonly string[]) => Math.max(...texts.map(widthOf));

/** Every key with its action, in as many columns as fit. */
const keyRows = (width: number): string[] => {
  const signs = LOOKS_AT.map((row) => signsOf(row, width < 100 ? 1 : 2));
  const signWidth = widest(signs) + 1;
  const wordWidth = widest(LOOKS_AT.map(({ says }) => says)) + 2;
  const perLine = Math.max(1, Math.floor((width + 2) / (signWidth + wordWidth)));
  const height = Math.ceil(LOOKS_AT.length / perLine);
  const cell = (at: number) => {
    const row = LOOKS_AT[at];
    return row ? padTo(signs[at] ?? "", signWidth) + padTo(row.says, wordWidth) : "";
  };
  return Array.from({ length: height }, (_, at) =>
    Array.from({ length: perLine }, (__, column) => cell(column * height + at))
      .join("")
      .trimEnd(),
  );
};

/** The help, drawn from the table of keys. */
export const helpLines = ({ width, ellipsis }: RowContext): Line[] => {
  const texts = [
    ...keyRows(width),
    "small letters look, or move the clock; capitals change a record and ask first",
    "filter  lyon  status:failed  type:OUTGOING  code:4xx  id:9f3c2e  is:open",
    "marks   ✓ done  ~ waits for time  ! waits for you  ✗ failed  - ended",
  ];
  return [
    ruleLine("Keys, any key closes", width),
    ...texts.map((text) => fitLine(textLine(text), width, ellipsis)),
  ];
};

/** Action of a capital in the focused list; lists without one do not show it. */
const isOffered = (does: string, { view }: Scene) => {
  const list = view.detail?.list ?? view.pane;
  if (does === "approve" || does === "reject") return list === "approvals";
  if (does === "resend") return list === "deliveries";
  if (does === "back") return view.detail !== undefined;
  return true;
};

const SEPARATOR = "  ";

/** The active keys in one line; the least important are dropped first. */
export const keyBar = (scene: Scene, { width }: RowContext): Line => {
  const focus = scene.view.detail ? "detail" : "list";
  const offered = KEYS.flatMap(({ keys, focus: there, does, bar }) =>
    bar && there.includes(focus) && isOffered(does, scene)
      ? [{ rank: bar.rank, key: keySign(keys[0] ?? ""), says: bar.says }]
      : [],
  );
  const lineOf = (rows: typeof offered): Line =>
    rows.flatMap(({ key, says }, at) => [
      span(at === 0 ? key : SEPARATOR + key, "bold"),
      span(` ${says}`, "dim"),
    ]);
  let shown = offered;
  while (shown.length > 1 && lineWidth(lineOf(shown)) > width) {
    const worst = Math.max(...shown.map(({ rank }) => rank));
    const at = shown.findLastIndex(({ rank }) => rank === worst);
    shown = shown.toSpliced(at, 1);
  }
  return fitLine(lineOf(shown), width);
};
