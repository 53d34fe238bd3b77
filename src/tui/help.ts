import { KEYS, keySign } from "./keys.ts";
import { fitLine, type Line, lineWidth, span, textLine } from "./line.ts";
import { padTo } from "./safe-text.ts";
import type { Scene } from "./scene.ts";
import { ruleLine } from "./sheets.ts";
import type { RowContext } from "./table.ts";

const COLUMN_WIDTH = 26;
const KEYS_WIDTH = 9;

const LOOKS_AT = KEYS.filter(({ focus }) => focus.includes("list") || focus.includes("detail"));

const entry = ({ keys, says }: (typeof KEYS)[number]) => {
  const signs = keys.slice(0, 2).map(keySign).join(" ");
  return padTo(`${padTo(signs, KEYS_WIDTH - 1)} ${says}`, COLUMN_WIDTH);
};

/** The help, drawn from the table of keys. */
export const helpLines = ({ width, ellipsis }: RowContext): Line[] => {
  const perLine = Math.max(1, Math.floor(width / COLUMN_WIDTH));
  const height = Math.ceil(LOOKS_AT.length / perLine);
  const rows = Array.from({ length: height }, (_, at) =>
    Array.from({ length: perLine }, (__, column) => LOOKS_AT[column * height + at])
      .map((row) => (row ? entry(row) : ""))
      .join(""),
  );
  const texts = [
    "small letters look, or move the clock; capitals change a record and ask first",
    ...rows,
    "filter   lyon  status:failed  type:OUTGOING  code:4xx  id:9f3c2e  is:open",
    "marks    ✓ done  ~ waits for time  ! waits for you  ✗ failed  - ended",
  ];
  return [
    ruleLine("Keys, any key closes", width),
    ...texts.map((text) => fitLine(textLine(text.trimEnd()), width, ellipsis)),
  ];
};

/** What a capital does where the focus is; elsewhere it is not offered. */
const isOffered = (does: string, { view }: Scene) => {
  const list = view.detail?.list ?? view.pane;
  if (does === "approve" || does === "reject") return list === "approvals";
  if (does === "resend") return list === "deliveries";
  if (does === "back") return view.detail !== undefined;
  return true;
};

const SEPARATOR = "  ";

/** The keys that do something here, in one line; the less needed ones go first. */
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
