import type { ControlClient, ControlReply } from "../client/control-client.ts";
import { NoAnswer } from "../client/send.ts";
import type { Decided } from "../contract/control/approvals.ts";
import type { Advanced } from "../contract/control/clock.ts";
import type { WholeRecord } from "../contract/control/records.ts";
import type { Rewound } from "../contract/control/rewind.ts";
import type { SentWebhook } from "../contract/control/webhooks.ts";
import type { CreatedWorld, WorldList, WorldRow } from "../contract/control/worlds.ts";
import type { Fault } from "../contract/platform/faults.ts";
import { driftOf } from "../rows/clock-face.ts";
import { shortIdsIn, shortOf } from "../rows/list.ts";
import { counted, money } from "../text/layout.ts";
import { faultWords } from "./armed-faults.ts";
import type { Effect } from "./effect.ts";
import { undoCommand } from "./news-notice.ts";
import { NO_ANSWER, payout } from "./payout.ts";
import type { StepBackSheet } from "./view.ts";

/** Result of an effect: words for the toast and perhaps a new payment, or what a detail shows. */
export type Outcome =
  | { says: string; payment?: string; isRefused?: boolean }
  | SheetOutcome
  | { path: string; body?: unknown; failure?: string }
  | { undone: NonNullable<StepBackSheet["undone"]> }
  | { worlds: readonly WorldRow[] };

/** Answer to a sheet that stays open until it comes. */
export interface SheetOutcome {
  sheet: "endpoint" | "fault" | "fork";
  says: string;
  isRefused: boolean;
  /** The world that was made, which is shown from now on. */
  made?: string;
}

interface Failing {
  error?: { message?: string; next?: string[] };
}

const ELLIPSIS = { ellipsis: "…" };

const failureText = ({ status, body }: ControlReply) => {
  const { error } = (body ?? {}) as Failing;
  return error?.message ?? `the simulator answered ${status}`;
};

const decidedText = ({ action, because, transaction, balances, webhooks }: Decided) => {
  const moved = balances
    .filter(({ before, after }) => before !== after)
    .map(({ currency, before, after }) => `${money(before, currency)} → ${money(after, currency)}`);
  return [
    `${shortOf(action.id, ELLIPSIS)} is ${action.status}`,
    because?.says,
    transaction && `its payment ${transaction.status}`,
    ...moved,
    webhooks.length > 0 && counted(webhooks.length, "webhook"),
  ]
    .filter(Boolean)
    .join(", ");
};

const advancedText = ({ complete, firedCount, webhookCount, to, until }: Advanced) => {
  const fired = `${counted(firedCount, "timer")} fired, ${counted(webhookCount, "webhook attempt")}`;
  const missed = until && !until.reached ? `, but it is ${until.found ?? "not there"}` : "";
  const open = complete ? "" : ", some webhooks still wait for an answer";
  return `${fired}; it is ${to.slice(11, 19)} now${missed}${open}`;
};

const answerText = ({ status, error, tookMs }: SentWebhook) =>
  `${status ?? error ?? "no answer"}, ${tookMs} ms`;

const resentText = (sent: SentWebhook) =>
  `${shortOf(sent.id, ELLIPSIS)} was sent again: ${answerText(sent)}`;

const testText = (sent: SentWebhook) =>
  `TEST ${shortOf(sent.id, ELLIPSIS)} was sent: ${answerText(sent)}`;

const endpointText =
  (isNew: boolean) =>
  ({ webhookEndpoint }: { webhookEndpoint?: string }) => {
    if (webhookEndpoint === undefined) return "no endpoint: webhooks are stored, not sent";
    return `webhooks go to ${webhookEndpoint}${isNew ? "; a TEST webhook is on its way" : ""}`;
  };

const takeBack = (client: ControlClient, ids: readonly string[]) => {
  const [id] = ids;
  const one = ids.length === 1 && id !== undefined ? `/${encodeURIComponent(id)}` : "";
  return client.delete(`/faults${one}`);
};

/** A call of the control surface, and the words for its reply. */
interface Call {
  reply: Promise<ControlReply>;
  says(body: never): string;
}

const callOf = (client: ControlClient, effect: Effect): Call | undefined => {
  if (effect.do === "approve" || effect.do === "reject") {
    const path = `/approvals/${encodeURIComponent(effect.id)}/${effect.do}`;
    const reason = effect.do === "reject" && effect.reason !== "" ? { reason: effect.reason } : {};
    return { reply: client.post(path, reason), says: decidedText };
  }
  if (effect.do === "resend") {
    const path = `/webhooks/${encodeURIComponent(effect.id)}/resend`;
    return { reply: client.post(path), says: resentText };
  }
  if (effect.do === "send-test")
    return { reply: client.post("/webhooks/trigger", { type: "TEST" }), says: testText };
  if (effect.do === "advance")
    return { reply: client.post("/clock/advance", effect.body), says: advancedText };
  if (effect.do === "step-back")
    return {
      reply: client.post("/clock/rewind", { before: effect.before }),
      says: ({ to, snapshot }: Rewound) =>
        [
          `rewound to ${to.slice(11, 19)}`,
          snapshot && `${undoCommand(snapshot, client.at.world)} undoes it`,
        ]
          .filter(Boolean)
          .join("; "),
    };
  if (effect.do === "endpoint")
    return {
      reply: client.patch("/config", { webhookEndpoint: effect.url }),
      says: endpointText(effect.isNew),
    };
  if (effect.do === "fault")
    return {
      reply: client.post("/faults", effect.body),
      says: (fault: Fault) => `fault added: ${faultWords(fault)}; U removes it`,
    };
  if (effect.do === "take-back")
    return {
      reply: takeBack(client, effect.ids),
      says: ({ cleared }: { cleared: number }) => `${counted(cleared, "fault")} removed`,
    };
  if (effect.do === "fork") {
    const { from, name } = effect;
    return {
      reply: client.post("/worlds", { from: `world:${from}`, ...(name !== "" && { name }) }),
      says: (made: CreatedWorld) => `${made.name} is a fork of ${from}`,
    };
  }
  if (effect.do === "remove-world")
    return {
      reply: client.delete(`/worlds/${encodeURIComponent(effect.name)}`),
      says: () => `world ${effect.name} is removed`,
    };
  if (effect.do === "clock")
    return {
      reply: client.put("/clock", { mode: effect.mode }),
      says: (clock: { mode: string; speed?: number; aheadMs: number }) =>
        `the clock is ${driftOf(clock)}`,
    };
  return undefined;
};

/** A record with its story, and of a quote with its payment: what a detail shows of them. */
const readRecord = async (client: ControlClient, path: string): Promise<ControlReply> => {
  const reply = await client.get<WholeRecord>(path);
  if (reply.status >= 400) return reply;
  const record = reply.body;
  const payment = record.related.find(
    ({ kind }) => record.kind === "Quote" && kind === "Transaction",
  );
  const [story, paid] = await Promise.all([
    client.get(`/why/${encodeURIComponent((payment ?? record).id)}`),
    payment && client.get(`/records/${encodeURIComponent(payment.id)}`),
  ]);
  if (story.status >= 400) return story;
  const body = { record, story: story.body, ...(paid?.status === 200 && { payment: paid.body }) };
  return { status: 200, body };
};

/** The id that a path ends in. */
const subjectOf = (path: string) => decodeURIComponent(path.slice(path.lastIndexOf("/") + 1));

const read = async (client: ControlClient, path: string): Promise<Outcome> => {
  try {
    const isRecord = path.startsWith("/records/");
    const reply = isRecord ? await readRecord(client, path) : await client.get(path);
    if (reply.status < 400) return { path, body: reply.body };
    const gone = reply.status === 404 ? `${subjectOf(path)} was not found\n` : "";
    return { path, failure: gone + failureText(reply) };
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return { path, failure: NO_ANSWER };
  }
};

const answerTo = async (
  call: Call,
): Promise<{ says: string; isRefused: boolean; body?: unknown }> => {
  try {
    const reply = await call.reply;
    const isRefused = reply.status >= 400;
    if (isRefused) return { says: failureText(reply), isRefused };
    return { says: call.says(reply.body as never), isRefused, body: reply.body };
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return { says: NO_ANSWER, isRefused: true };
  }
};

/** `executeQuote, req-1-7`, or `timer payment.settle Transaction:…9f3c2e`. */
const actText = ({ by, cause }: Rewound["undone"]["acts"][number]) =>
  cause.startsWith(`${by} `) ? `timer ${shortIdsIn(cause, ELLIPSIS)}` : `${by}, ${cause}`;

const undoneLines = ({ to, undone }: Rewound): string[] => {
  const { requests, timers, webhooks, acts } = undone;
  const [last] = acts;
  return [
    last ? `${actText(last)}, at ${last.at.slice(11, 19)}` : "only internal changes",
    `${counted(requests, "request")}, ${counted(timers, "timer")} and ${counted(webhooks, "webhook")} ` +
      `are undone, and the clock goes back to ${to.slice(11, 19)}; all of it is kept as a snapshot`,
  ];
};

/** Asks what a step back would undo. A request is named, so that a later one does not count. */
const undoable = async (client: ControlClient): Promise<Outcome> => {
  const reply = client.post<Rewound>("/clock/rewind", { before: "last", dryRun: true });
  const answer = await answerTo({ reply, says: () => "" });
  if (answer.isRefused) return { says: `b: ${answer.says}` };
  const body = answer.body as Rewound;
  const [last] = body.undone.acts;
  const before = last?.cause.startsWith("req-") ? last.cause : "last";
  return { undone: { before, lines: undoneLines(body) } };
};

/** The worlds as they are now. */
const worlds = async (client: ControlClient): Promise<Outcome> => {
  const answer = await answerTo({ reply: client.get<WorldList>("/worlds"), says: () => "" });
  if (answer.isRefused) return { says: `o: ${answer.says}` };
  return { worlds: (answer.body as WorldList).data };
};

/** Carries out an effect on the simulator; undefined for effects of the terminal. */
export const perform = async (
  client: ControlClient,
  effect: Effect,
): Promise<Outcome | undefined> => {
  if (effect.do === "make-payout") return payout(client);
  if (effect.do === "read") return read(client, effect.path);
  if (effect.do === "undoable") return undoable(client);
  if (effect.do === "worlds") return worlds(client);
  const call = callOf(client, effect);
  if (!call) return undefined;
  const { says, isRefused, body } = await answerTo(call);
  if (effect.do === "fork") {
    const made = isRefused ? {} : { made: (body as CreatedWorld).name };
    return { sheet: effect.do, says, isRefused, ...made };
  }
  return effect.do === "endpoint" || effect.do === "fault"
    ? { sheet: effect.do, says, isRefused }
    : { says, isRefused };
};
