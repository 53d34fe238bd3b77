import type { FoundRows } from "../../contract/control/rows.ts";
import { goalOf } from "../../rows/advance-goal.ts";
import type { RowContext } from "../../rows/column.ts";
import { tailOf } from "../../rows/list.ts";
import { listNamed } from "../../rows/lists.ts";
import type { ListedName } from "../../rows/world.ts";
import { safeText } from "../../text/safe-text.ts";
import { placeOf } from "../routes.ts";

/** A place to go to, or something to do. */
export interface Target {
  says: string;
  kind: string;
  /** The place, or what is done in its stead. */
  to: string | { world: string } | { advance: string } | { clock: "advance" | "next" | "freeze" };
}

const WORDS: Readonly<Record<ListedName, string>> = {
  payments: "payment",
  approvals: "approval",
  deliveries: "webhook",
  requests: "request",
  timers: "timer",
  mails: "email",
  postings: "posting",
  customers: "customer",
  cards: "card",
  purchases: "purchase",
  internalAccounts: "account",
  externalAccounts: "external account",
  agents: "agent",
};

type Found = FoundRows["data"][number];

interface FoundRow {
  id: string;
  name?: string;
  subject?: string;
  status?: string;
}

/** Verbs before an id, with the lists whose records they are for. */
const VERBS: Readonly<Record<string, readonly ListedName[]>> = {
  fund: ["internalAccounts"],
  approve: ["approvals"],
  reject: ["approvals"],
};

/** The typed text, and the verb in front of it: `fund account ab12cd`. */
export const soughtIn = (typed: string): { verb: string | undefined; text: string } => {
  const [first = "", ...rest] = typed.trim().toLowerCase().split(/\s+/);
  const text = rest.filter((word) => word !== "account").join(" ");
  // A name may begin with a verb too: an id ends in hex digits.
  if (!Object.hasOwn(VERBS, first) || !/^[0-9a-f]*$/.test(text))
    return { verb: undefined, text: typed.trim() };
  return { verb: first, text };
};

const actsOn = (list: ListedName, row: FoundRow, context: RowContext): Target[] => {
  const to = placeOf(row.id);
  const tail = tailOf(row.id, context);
  const act = (verb: string, says: string) => ({ says, kind: "action", to: `${to}?act=${verb}` });
  if (list === "internalAccounts") return [act("fund", `fund account ${tail}`)];
  if (list === "approvals" && row.status === "PENDING_APPROVAL")
    return [act("approve", `approve ${tail}`), act("reject", `reject ${tail}`)];
  return [];
};

const placeIn = (list: ListedName, { id, subject }: FoundRow) => {
  if (list === "mails") return "/inbox";
  if (list === "timers") return `/timers?q=${encodeURIComponent((subject ?? id).slice(-6))}`;
  return placeOf(id);
};

const targetsOf = ({ list, row: json }: Found, context: RowContext): Target[] => {
  const row = json as unknown as FoundRow;
  if (list === "worlds")
    return [{ says: row.name ?? "", kind: "world", to: { world: row.name ?? "" } }];
  if (list === "snapshots") return [{ says: row.name ?? "", kind: "snapshot", to: "/snapshots" }];
  const name = list as ListedName;
  const known = listNamed(name);
  const tail = tailOf(known.subject(row as never), context);
  const says = safeText(`${tail}  ${known.explain(row as never, context)}`);
  return [{ says, kind: WORDS[name], to: placeIn(name, row) }, ...actsOn(name, row, context)];
};

/** Targets of the rows that the simulator found; behind a verb those that it is for. */
export const foundTargets = (
  found: readonly Found[],
  verb: string | undefined,
  context: RowContext,
): Target[] => {
  const wanted = verb === undefined ? undefined : VERBS[verb];
  const targets = found
    .filter(({ list }) => !wanted || wanted.includes(list as ListedName))
    .flatMap((one) => targetsOf(one, context));
  const isAsked = ({ kind, says }: Target) => kind === "action" && says.startsWith(`${verb} `);
  return wanted ? targets.filter(isAsked) : targets;
};

/** Actions on the clock that fit the typed text: `advance 6m`, `freeze`. */
export const clockTargets = (typed: string, isReal: boolean): Target[] => {
  const [, span = ""] = /^advance\s+(.+)$/i.exec(typed.trim()) ?? [];
  const goal = span === "" ? undefined : goalOf(span);
  if (goal) return [{ says: `advance ${span}`, kind: "action", to: { advance: span } }];
  return [
    { says: "advance the clock", kind: "action", to: { clock: "advance" } },
    { says: "fire the next timer", kind: "action", to: { clock: "next" } },
    {
      says: isReal ? "freeze the clock" : "run the clock",
      kind: "action",
      to: { clock: "freeze" },
    },
  ];
};
