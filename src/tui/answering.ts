import { goalOf, SUGGESTIONS } from "../rows/advance-goal.ts";
import { armedIn } from "../rows/armed-faults.ts";
import type { Effect, KeyResult } from "./effect.ts";
import { ANY_CALL, callsFor, effectWords, faultOf, isCall, WAYS } from "./fault-form.ts";
import type { Action } from "./keys.ts";
import { contextOf, type Scene } from "./scene.ts";
import { focusedList, type Sheet, type View, withToast } from "./view.ts";

type SheetOf<Kind extends Sheet["kind"]> = Extract<Sheet, { kind: Kind }>;

const showing = (view: View, sheet: Sheet): KeyResult => ({ view: { ...view, sheet } });

const withoutSheet = (view: View): View => ({ ...view, sheet: undefined });

const keepFilter = (view: View, text: string): View => ({
  ...withoutSheet(view),
  filters: { ...view.filters, [focusedList(view)]: text },
});

const MAX_REMEMBERED = 20;

const submitAdvance = ({ view }: Scene, sheet: SheetOf<"advance">): KeyResult => {
  const called = sheet.text.trim();
  const body = goalOf(called);
  if (!body) {
    const failure =
      called === ""
        ? "Type how far, for example 6m"
        : `"${called}" is not a duration, instant or <id>=<STATUS>; 6m is one`;
    return showing(view, { ...sheet, failure });
  }
  const advances = [called, ...view.advances.filter((one) => one !== called)];
  return {
    view: { ...withoutSheet(view), advances: advances.slice(0, MAX_REMEMBERED) },
    effect: { do: "advance", body, called },
  };
};

/** The sheet stays until the simulator has answered: a refusal is shown in it. */
const submitEndpoint = ({ view, wallMs }: Scene, sheet: SheetOf<"endpoint">): KeyResult => {
  const url = sheet.text.trim();
  if (url === "" && sheet.before === "")
    return { view: withToast(withoutSheet(view), "still no endpoint", wallMs) };
  const effect: Effect = { do: "endpoint", url, isNew: url !== sheet.before };
  return { view: { ...view, sheet: { ...sheet, isSent: true, failure: undefined } }, effect };
};

const submitFault = ({ view }: Scene, sheet: SheetOf<"fault">): KeyResult => {
  const body = faultOf(sheet);
  if (body)
    return {
      view: { ...view, sheet: { ...sheet, isSent: true, failure: undefined } },
      effect: { do: "fault", body },
    };
  const failure =
    sheet.how.trim() === ""
      ? "Type how it should fail, for example 503"
      : `"${sheet.how.trim()}" is not a way to fail; 503, RATE_LIMITED, lost, closed and 5s are`;
  return showing(view, { ...sheet, field: "how", isFresh: true, failure });
};

const submitConfirmed = (scene: Scene, { does, id }: SheetOf<"confirm">): KeyResult => {
  const { view, watched } = scene;
  const closed = withoutSheet(view);
  if (does === "stop") return { view, effect: { do: "leave" } };
  if (does === "make-payout")
    return { view: withToast(closed, "making it …", scene.wallMs), effect: { do: does } };
  if (does === "send-test") return { view: closed, effect: { do: "send-test" } };
  if (does === "remove-world") return { view: closed, effect: { do: "remove-world", name: id } };
  if (does === "take-back") {
    const ids = armedIn(watched, contextOf(scene).nowMs).map((one) => one.id);
    return { view: closed, effect: { do: "take-back", ids } };
  }
  return { view: closed, effect: { do: does, id } };
};

const submitStepBack = ({ view }: Scene, { undone }: SheetOf<"step-back">): KeyResult =>
  undone === undefined
    ? { view }
    : { view: withoutSheet(view), effect: { do: "step-back", before: undone.before } };

/** The sheet stays until the simulator has answered: a name may be taken. */
const submitFork = ({ view }: Scene, sheet: SheetOf<"fork">): KeyResult => ({
  view: { ...view, sheet: { ...sheet, isSent: true, failure: undefined } },
  effect: { do: "fork", from: sheet.from, name: sheet.text.trim() },
});

const submit = (scene: Scene): KeyResult => {
  const { view } = scene;
  const { sheet } = view;
  if (!sheet || ("isSent" in sheet && sheet.isSent)) return { view };
  if (sheet.kind === "filter") return { view: keepFilter(view, sheet.text.trim()) };
  if (sheet.kind === "reason") {
    const effect: Effect = { do: "reject", id: sheet.id, reason: sheet.text.trim() };
    return { view: withoutSheet(view), effect };
  }
  if (sheet.kind === "advance") return submitAdvance(scene, sheet);
  if (sheet.kind === "endpoint") return submitEndpoint(scene, sheet);
  if (sheet.kind === "step-back") return submitStepBack(scene, sheet);
  if (sheet.kind === "fork") return submitFork(scene, sheet);
  if (sheet.kind === "worlds") return { view };
  return sheet.kind === "fault" ? submitFault(scene, sheet) : submitConfirmed(scene, sheet);
};

const cancel = ({ view }: Scene): KeyResult =>
  view.sheet?.kind === "filter"
    ? { view: keepFilter(view, view.sheet.before) }
    : { view: withoutSheet(view) };

const suggest = ({ view }: Scene): KeyResult => {
  const { sheet } = view;
  if (sheet?.kind !== "advance") return { view };
  const at = SUGGESTIONS.indexOf(sheet.text as (typeof SUGGESTIONS)[number]);
  const text = SUGGESTIONS[(at + 1) % SUGGESTIONS.length] ?? "";
  return showing(view, { ...sheet, text, failure: undefined });
};

const recall = ({ view }: Scene, step: number): KeyResult => {
  const { sheet, advances } = view;
  if (sheet?.kind !== "advance") return { view };
  const earlierAt = Math.max(-1, Math.min(advances.length - 1, sheet.earlierAt + step));
  const text = advances[earlierAt] ?? "";
  return showing(view, { ...sheet, earlierAt, text, failure: undefined });
};

const otherField = ({ view }: Scene): KeyResult =>
  view.sheet?.kind === "fault"
    ? showing(view, {
        ...view.sheet,
        field: view.sheet.field === "call" ? "how" : "call",
        isFresh: true,
        sought: "",
      })
    : { view };

/** The choices of the field that is typed into. */
export const choicesOf = (sheet: SheetOf<"fault">, { watched }: Scene): readonly string[] =>
  sheet.field === "call" ? callsFor(sheet.sought, watched.lists.requests) : WAYS;

const choose = (scene: Scene, step: number): KeyResult => {
  const { view } = scene;
  const { sheet } = view;
  if (sheet?.kind !== "fault") return { view };
  const choices = choicesOf(sheet, scene);
  const at = choices.indexOf(sheet[sheet.field]);
  const from = at < 0 && step < 0 ? 0 : at;
  const chosen = choices.at((from + step + choices.length) % Math.max(1, choices.length));
  if (chosen === undefined) return { view };
  return showing(view, { ...sheet, [sheet.field]: chosen, isFresh: true, failure: undefined });
};

/** Sheets that are answered by a key, without text. */
type KeySheet = SheetOf<"confirm"> | SheetOf<"step-back"> | SheetOf<"worlds">;

const UNTYPED: readonly Sheet["kind"][] = ["confirm", "step-back", "worlds"];

const isTyped = (sheet: Sheet): sheet is Exclude<Sheet, KeySheet> => !UNTYPED.includes(sheet.kind);

/** Changes the typed text; a prefilled text is replaced by the first character, edited by erasing. */
const typed = (view: View, change: (text: string) => string, isAdded = true): KeyResult => {
  const { sheet } = view;
  if (!sheet || !isTyped(sheet)) return { view };
  const before = (text: string, isFresh: boolean) => (isFresh && isAdded ? "" : text);
  if (sheet.kind === "fault") {
    const text = change(before(sheet[sheet.field], sheet.isFresh));
    const rest = { isFresh: false, sought: text, failure: undefined };
    return showing(view, { ...sheet, ...rest, [sheet.field]: text });
  }
  if (sheet.kind === "endpoint") {
    const text = change(before(sheet.text, sheet.isFresh));
    return showing(view, { ...sheet, text, isFresh: false, failure: undefined });
  }
  const text = change(sheet.text);
  if (sheet.kind === "advance" || sheet.kind === "fork")
    return showing(view, { ...sheet, text, failure: undefined });
  return showing(view, { ...sheet, text });
};

/** Adds typed or pasted text to the open sheet. */
export const typeText = (view: View, text: string): KeyResult =>
  typed(view, (before) => before + text);

const rejectInstead = ({ view }: Scene): KeyResult =>
  view.sheet?.kind === "confirm" && view.sheet.does === "approve"
    ? showing(view, { kind: "reason", id: view.sheet.id, text: "" })
    : { view };

/** The sheet of a fault for the next call, with the operation of a request. */
export const faultSheet = (operation: string | undefined): Sheet => ({
  kind: "fault",
  field: "call",
  call: operation ?? ANY_CALL,
  how: WAYS[0],
  sought: "",
  isFresh: true,
});

/** Words of what a sheet would arm; undefined while its way is none or its call half typed. */
export const armedPreview = (sheet: SheetOf<"fault">) => {
  const body = faultOf(sheet);
  if (!body || !isCall(sheet.call)) return undefined;
  const { operation, path } = body.match ?? {};
  const call = operation ?? path;
  return `once, the next ${call ?? "call"}: ${effectWords(body.fault)}`;
};

/** Actions of keys while a sheet is open. */
export const ANSWERING: Partial<Record<Action, (scene: Scene) => KeyResult>> = {
  submit,
  back: cancel,
  suggest,
  earlier: (scene) => recall(scene, 1),
  later: (scene) => recall(scene, -1),
  "field-next": otherField,
  "choice-before": (scene) => choose(scene, -1),
  "choice-next": (scene) => choose(scene, 1),
  erase: ({ view }) => typed(view, (text) => [...text].slice(0, -1).join(""), false),
  "erase-all": ({ view }) => typed(view, () => "", false),
  reject: rejectInstead,
};
