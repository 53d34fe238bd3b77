import * as z from "zod";
import { Advanced, type ShownAttempt, ShownClock } from "../contract/control/clock.ts";
import { CLOCK_MODES, MAX_SPEED } from "../contract/control/clock-modes.ts";
import { defined } from "../contract/core/defined.ts";
import { shownAddress } from "../contract/core/endpoint-address.ts";
import { enumOf, named } from "../contract/core/named-shape.ts";
import { instant } from "../domain/core/draft.ts";
import { days, parseDuration } from "../domain/core/durations.ts";
import { platformConfig } from "../domain/core/platform-config.ts";
import { refuse } from "../domain/core/refusal.ts";
import { LATEST_NOW_MS } from "../domain/records/latest-instant.ts";
import { type AdvanceReport, DEFAULT_BUDGET_MS } from "../runtime/advance.ts";
import type { FiredTimer } from "../runtime/listeners.ts";
import { nextInstant } from "../runtime/next-instant.ts";
import type { AttemptReport } from "../runtime/ports.ts";
import { endpoint } from "./core/control-endpoint.ts";
import { findPresentId } from "./core/present-ids.ts";
import { requireStatus } from "./core/record-statuses.ts";
import type { World } from "./core/world.ts";
import { nextTimerShown } from "./timers.ts";

/** The goal of an advance: a span, an instant, the next timer, or a status (spec/clock.md#advance). */
export const AdvanceInput = named("AdvanceGoal", () =>
  z
    .object({
      by: z.string().optional(),
      to: z.string().optional(),
      next: z.literal(true).optional(),
      until: z.object({ id: z.string(), status: z.string() }).optional(),
      budgetMs: z.int().min(0).max(3_600_000).optional(),
    })
    .refine(
      ({ by, to, next, until }) =>
        [by, to, next, until].filter((goal) => goal !== undefined).length === 1,
      "Expected one of by, to, next and until",
    ),
);

export type AdvanceInput = z.infer<typeof AdvanceInput>;

const ClockInput = z.lazy(() =>
  z
    .object({
      mode: enumOf("ClockMode", CLOCK_MODES),
      speed: z.number().positive().max(MAX_SPEED).optional(),
    })
    .refine(
      ({ mode, speed }) => speed === undefined || mode === "real",
      "Expected speed only with the mode real",
    ),
);

/** The clock, and moving it. */
export const clockEndpoints = [
  endpoint({
    operationId: "clock",
    summary: "The simulated time",
    method: "GET",
    path: "/clock",
    replies: [200, ShownClock],
    refuses: [],
    handle: (_input, call, world) => call.read(() => showClock(world), undefined),
  }),
  endpoint({
    operationId: "setClock",
    summary:
      "Freeze the clock (manual), let it run (real, at a speed), or skip while clients wait (auto)",
    method: "PUT",
    path: "/clock",
    body: ClockInput,
    replies: [200, ShownClock],
    refuses: [],
    handle: ({ body: { mode, speed = 1 } }, call, world) => {
      const { engine } = world;
      const { clock } = engine;
      const cause = { cause: call.requestId, by: call.operationId };
      const isSame = mode === clock.mode && (mode !== "real" || speed === (clock.speed ?? 1));
      if (!isSame) engine.setClock({ mode, speed }, cause);
      call.sawEverything();
      return showClock(world);
    },
  }),
  endpoint({
    operationId: "advance",
    summary: "Move the clock; answers when everything due on the way is done",
    method: "POST",
    path: "/clock/advance",
    body: AdvanceInput,
    replies: [200, Advanced],
    refuses: [
      "INVALID_INPUT",
      "INVALID_DURATION",
      "INVALID_INSTANT",
      "TIME_IN_PAST",
      "ID_NOT_FOUND",
      "ID_AMBIGUOUS",
    ],
    outlivesReset: true,
    handle: async ({ body }, call, world) => {
      const { budgetMs = DEFAULT_BUDGET_MS } = body;
      const goal = goalOf(body, world);
      const report = await world.advance.to({ ...goal, budgetMs, called: calledOf(body) });
      call.sawEverything();
      return showAdvance(report, world);
    },
  }),
];

const showClock = ({ engine }: World): ShownClock => {
  const next = nextTimerShown(engine);
  return {
    now: instant(engine.clock.now()),
    mode: engine.clock.mode,
    ...defined({ speed: engine.clock.speed }),
    aheadMs: engine.clock.aheadMs(),
    ...(next && { nextTimerAt: next.dueAt, next }),
  };
};

/** Latest instant that a clock or a timer can have. */
export const LATEST_MS = LATEST_NOW_MS;

/** Simulated time after which an `until` gives up. */
const UNTIL_LIMIT_MS = days(30);

/** Writes an advance as on the command line. */
const calledOf = ({ by, to, until }: AdvanceInput) => {
  if (by !== undefined) return `advance ${by}`;
  if (to !== undefined) return `advance --to ${to}`;
  return until ? `advance --until ${until.id}=${until.status}` : "advance --next";
};

/** The goal of an advance: an instant, and perhaps a status that ends it earlier. */
export const goalOf = (body: AdvanceInput, world: World) => {
  const { engine } = world;
  const fromMs = engine.clock.now();
  if (body.next)
    return { fromMs, target: { toMs: nextInstant(engine.state) ?? engine.clock.now() } };
  if (body.by !== undefined) return { fromMs, target: { byMs: spanOf(body.by, world) } };
  if (!body.until) return { fromMs, target: { toMs: instantOf(body.to ?? "", fromMs) } };
  const id = findPresentId(world, body.until.id);
  const status = requireStatus(engine.state, { id, status: body.until.status });
  return {
    fromMs,
    target: { toMs: fromMs + UNTIL_LIMIT_MS },
    until: { id, status },
  };
};

const spanOf = (value: string, { advance }: World): number => {
  const details = { field: "by", value };
  const byMs = parseDuration(value) ?? refuse("INVALID_DURATION", details);
  if (advance.instantAfter(byMs) <= LATEST_MS) return byMs;
  return refuse(
    "INVALID_DURATION",
    details,
    `Expected a duration that ends before the year 9999 but found "${value}"`,
  );
};

/** Reads an instant that is not past. */
export const instantOf = (value: string, nowMs: number): number => {
  const isInstant = z.iso.datetime({ offset: true }).safeParse(value).success;
  const details = { field: "to", value };
  const toMs = isInstant ? Date.parse(value) : refuse("INVALID_INSTANT", details);
  if (toMs < nowMs) refuse("TIME_IN_PAST", { ...details, now: instant(nowMs) });
  if (toMs <= LATEST_MS) return toMs;
  return refuse(
    "INVALID_INSTANT",
    details,
    `Expected an instant before the year 9999 but found "${value}"`,
  );
};

const showFired = ({ atMs, ...timer }: FiredTimer) => ({ at: instant(atMs), ...timer });

/** Shows an attempt: `status` is the receiver's, `state` the delivery's. */
export const showAttempt = ({
  atMs,
  httpStatus,
  status,
  ...attempt
}: AttemptReport): ShownAttempt => ({
  at: instant(atMs),
  ...attempt,
  status: httpStatus ?? null,
  state: status,
});

/** Reasons for open deliveries that no retry on the clock would send. */
const openOf = ({ unsent, underWay, stranded }: AdvanceReport, held: number) => {
  if (stranded.length > 0)
    return {
      stranded,
      why: `nothing would send ${stranded.length} of them: please report this; webhooks resend sends them`,
    };
  const reasons = [
    ...(underWay > 0 ? [`${underWay} sent without an answer so far`] : []),
    ...(unsent > 0 ? [`${unsent} not attempted yet`] : []),
    ...(held > 0 ? [`${held} held: webhooks release sends them`] : []),
  ];
  if (reasons.length === 0) return {};
  return { underWay, unsent, ...(held > 0 && { held }), why: reasons.join(", ") };
};

/** Shows an advance with what fired and what is still open. */
export const showAdvance = (report: AdvanceReport, { engine }: World): Advanced => {
  const { state } = engine;
  const next = nextTimerShown(engine);
  const endpointUrl = platformConfig(state).webhookEndpoint;
  return {
    from: instant(report.fromMs),
    to: instant(report.toMs),
    complete: report.complete,
    aheadMs: engine.clock.aheadMs(),
    mode: engine.clock.mode,
    ...defined({ speed: engine.clock.speed }),
    fired: report.fired.map(showFired),
    firedCount: report.firedCount,
    webhooks: report.webhooks.map(showAttempt),
    webhookCount: report.webhookCount,
    open: state.ids("Delivery", "byProgress", "open").length,
    ...openOf(report, state.ids("Delivery", "byState", "HELD").length),
    ...(!report.complete && {
      waitingFor: report.waitingFor,
      ...(endpointUrl && { endpoint: shownAddress(endpointUrl) }),
    }),
    ...(report.until && { until: report.until }),
    ...(next && { next }),
  };
};
