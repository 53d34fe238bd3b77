import { decision } from "./agent-calls.ts";
import { loseCount } from "./agent-limits.ts";
import { AUTHORITY } from "./authority.ts";
import type { Call, Parsed } from "./call.ts";
import { AMOUNTS, type Client, type MakeCall, present } from "./platform-calls.ts";
import { oneOf, oneThat, type WorldModel } from "./world-model.ts";

const DONE = [200, 201, 202, 204];
const REFUSED = [400, 403, 404, 405, 409, 422, 429];

type Row = readonly [operation: string, method: string, path: string];
type More = Partial<Omit<Call, "operation" | "method" | "path" | "surface" | "world">>;

const control = (world: string, [operation, method, path]: Row, more: More = {}): Call => ({
  surface: "control",
  world,
  operation,
  method,
  path,
  expects: [...DONE, ...REFUSED],
  ...more,
});

const fixed =
  (row: Row, more: More = {}): MakeCall =>
  ({ world }) =>
    control(world, row, more);

/** Calls that answer with success in each world at any time. */
const READS: readonly Row[] = [
  ["status", "GET", "/status"],
  ["worlds", "GET", "/worlds"],
  ["worldRecording", "GET", "/worlds/sandbox/recording"],
  ["clock", "GET", "/clock"],
  ["previewClock", "POST", "/clock/preview"],
  ["history", "GET", "/history"],
  ["snapshots", "GET", "/snapshots"],
  ["timers", "GET", "/timers"],
  ["webhookCa", "GET", "/webhooks/ca"],
  ["webhookKeys", "GET", "/webhooks/keys"],
  ["webhookTroubles", "GET", "/webhooks/troubles"],
  ["webhooks", "GET", "/webhooks"],
  ["webhookIds", "GET", "/webhooks/ids"],
  ["records", "GET", "/records"],
  ["inbox", "GET", "/inbox"],
  ["outcomes", "GET", "/outcomes"],
  ["lifecycles", "GET", "/lifecycles"],
  ["nextOutcomes", "GET", "/outcomes/next"],
  ["coverage", "GET", "/coverage"],
  ["ledger", "GET", "/ledger"],
  ["faults", "GET", "/faults"],
  ["rateLimit", "GET", "/rate-limit"],
  ["approvals", "GET", "/approvals"],
  ["oidcDiscovery", "GET", "/oidc/.well-known/openid-configuration"],
  ["oidcKeys", "GET", "/oidc/jwks"],
  ["rates", "GET", "/rates"],
  ["seedProgress", "GET", "/seed"],
  ["rows", "GET", "/rows?list=payments"],
  ["rows", "GET", "/rows?list=customers&query=a"],
  ["find", "GET", "/find?query=00"],
];

const read: MakeCall = ({ world, chance }) => {
  const row = chance.pick(READS);
  const body = row[0] === "previewClock" ? { by: "1h" } : undefined;
  return control(world, row, { expects: [200], ...(body && { body }) });
};

/** Pages and documents, whose answers are always the same. */
const PAGES: readonly Row[] = [
  ["index", "GET", "/"],
  ["favicon", "GET", "/favicon.svg"],
  ["live", "GET", "/live"],
  ["ready", "GET", "/ready"],
  ["cluster", "GET", "/cluster"],
  ["webhookKey", "GET", "/webhooks/key"],
  ["console", "GET", "/console"],
  ["consoleFile", "GET", "/console/none.js"],
];

/** Pages that take long to make. */
const LONG_PAGES: readonly Row[] = [
  ["docs", "GET", "/docs"],
  ["docsFile", "GET", "/docs/files/page.js"],
  ["openapi", "GET", "/openapi.json"],
  ["controlOpenapi", "GET", "/control-openapi.json"],
  ["docsPage", "GET", "/docs/reference"],
  ["docsOfFolder", "GET", "/docs/spec/quotes"],
];

const page: MakeCall = ({ world, chance }) =>
  control(world, chance.pick(chance.oneIn(4) ? LONG_PAGES : PAGES), { isText: true });

/** A record that an operator looks at. */
const look: MakeCall = ({ world, model, chance, ids }) => {
  const quoteId = oneOf(model.quotes, chance);
  const accountId = oneOf(model.accounts, chance);
  const rows: (Row | undefined)[] = [
    quoteId === undefined ? undefined : ["why", "GET", `/why/${quoteId}`],
    quoteId === undefined ? undefined : ["record", "GET", `/records/${quoteId}`],
    quoteId === undefined ? undefined : ["wholeId", "GET", `/ids/${quoteId.slice(-6)}`],
    accountId === undefined
      ? undefined
      : ["balanceSeries", "GET", `/ledger/series?account=${accountId}&currency=USD`],
  ];
  const webhook = oneIdOf(ids("Delivery"), chance);
  if (webhook !== undefined)
    rows.push(
      ["webhook", "GET", `/webhooks/${webhook}`],
      ["webhookRequest", "GET", `/webhooks/${webhook}/request`],
    );
  const row = chance.pick(rows);
  return row && control(world, row, { isText: row[0] === "webhookRequest" });
};

const oneIdOf = (ids: readonly string[], chance: Client["chance"]) =>
  ids.length === 0 ? undefined : chance.pick(ids);

const requests: MakeCall = ({ world, model, chance }) => {
  const id = chance.oneIn(2) ? model.lastRequest : undefined;
  if (id !== undefined) return control(world, ["request", "GET", `/requests/${id}`]);
  return control(world, ["requests", "GET", "/requests?limit=1"], {
    expects: [200],
    done: (known, { data }) => {
      if (data[0]) known.lastRequest = data[0].id;
    },
  });
};

const events = fixed(["events", "GET", "/events"], { isStream: true, expects: [200] });

/** Waits for something that comes or does not. */
const wait: MakeCall = ({ world, chance }) =>
  control(
    world,
    chance.pick([
      ["waitForWebhooks", "GET", "/webhooks/wait?type=TEST&count=1&timeout=20ms"],
      [
        "waitForWebhooks",
        "GET",
        "/webhooks/wait?type=INTERNAL_ACCOUNT.BALANCE_UPDATED&count=1&timeout=20ms",
      ],
      ["waitForMail", "GET", "/inbox/wait?timeoutMs=20"],
    ] as const),
    { expects: [...DONE, ...REFUSED, 408, 504] },
  );

/** Changes what a timer does. */
const ofTimer: MakeCall = ({ world, chance, ids }) => {
  const id = oneIdOf(ids("Timer"), chance);
  if (id === undefined) return undefined;
  const path = `/timers/${encodeURIComponent(id)}`;
  const [row, body] = chance.pick([
    [["fireTimer", "POST", `${path}/fire`], undefined],
    [["postponeTimer", "POST", `${path}/postpone`], { by: "1m" }],
    [["cancelTimer", "DELETE", path], undefined],
  ] as const);
  const take = (known: WorldModel) => {
    known.timersTaken ||= row[0] === "cancelTimer";
  };
  return control(world, row, { ...(body && { body }), done: take, learn: take });
};

/** One more attempt counts. */
const countedBeyond =
  (before: number) =>
  ({ id, attempt }: Parsed) =>
    attempt > before ? undefined : `${id} was sent again, and ${attempt} attempts are counted`;

/** Webhooks that are troubled, released, sent again or made by hand. */
const ofWebhooks: MakeCall = ({ world, chance, ids, attempts }) => {
  const id = oneIdOf(ids("Delivery"), chance);
  const trouble = oneIdOf(ids("Trouble"), chance);
  const rows: readonly (readonly [Row, object?])[] = [
    [["addWebhookTrouble", "POST", "/webhooks/troubles"], { do: "duplicate", times: 1 }],
    [["addWebhookTrouble", "POST", "/webhooks/troubles"], { do: "hold" }],
    [["releaseWebhooks", "POST", "/webhooks/release"], {}],
    [["liftWebhookTroubles", "DELETE", "/webhooks/troubles"]],
    [["triggerWebhook", "POST", "/webhooks/trigger"], { type: "TEST" }],
    [["sendVector", "POST", "/webhooks/vectors"], { vector: "wrong-key" }],
    [["rotateWebhookKey", "POST", "/webhooks/keys/rotate"]],
    [["checkReceiver", "POST", "/webhooks/check"]],
    ...(trouble === undefined
      ? []
      : ([[["liftWebhookTrouble", "DELETE", `/webhooks/troubles/${trouble}`]]] as const)),
    ...(id === undefined
      ? []
      : ([
          [["resendWebhook", "POST", `/webhooks/${id}/resend`]],
          [
            ["forwardedWebhook", "POST", `/webhooks/${id}/forwarded`],
            { status: 200, tookMs: 1, signature: "none" },
          ],
        ] as const)),
  ];
  const [row, body] = chance.pick(rows);
  const isForwarded = row[0] === "forwardedWebhook" && id !== undefined;
  const forward = (known: WorldModel) => {
    if (id !== undefined) known.forwarded[id] = true;
  };
  return control(world, row, {
    ...(body && { body }),
    ...(isForwarded && { done: forward, learn: forward }),
    ...(row[0] === "resendWebhook" && {
      requires: countedBeyond(id === undefined ? 0 : attempts(id)),
    }),
  });
};

const CHANGES: readonly (readonly [Row, object?])[] = [
  [["setCodes", "PUT", "/inbox/codes"], { codes: "fixed" }],
  [["setNextOutcome", "POST", "/outcomes/next"], { rule: "quotedPayment.003" }],
  [["setNextOutcome", "POST", "/outcomes/next"], { rule: "quotedPayment.003" }],
  [["liftNextOutcomes", "DELETE", "/outcomes/next"]],
  [["clearCoverage", "DELETE", "/coverage"]],
  [["exerciseCoverage", "POST", "/coverage/exercise"], { item: "operations.sendTestWebhook" }],
  [["clearFaults", "DELETE", "/faults"]],
  [
    ["addFault", "POST", "/faults"],
    { match: { operation: "getConfig", times: 1 }, fault: { latencyMs: 1 } },
  ],
  [["setRateLimit", "PUT", "/rate-limit"], { limit: "10000/s" }],
  [["setRates", "PUT", "/rates"], { perUsd: { EUR: "0.92" } }],
  [["oidcToken", "POST", "/oidc/token"], { email: "lena@shop.example" }],
  [["call", "POST", "/call"], { method: "GET", path: "/config" }],
  [["setProviderFields", "PATCH", "/config"], { isRegulatedFinancialInstitution: true }],
  [["recordCapsule", "POST", "/capsule"], { name: "history" }],
  [["endCapsule", "DELETE", "/capsule"]],
  [["setClock", "PUT", "/clock"], { mode: "manual" }],
];

/** A row for what is seldom there counts double when it is. */
const twice = (row: Row): (readonly [Row])[] => [[row], [row]];

const change: MakeCall = ({ world, chance, ids }) => {
  const outcome = oneIdOf(ids("NextOutcome"), chance);
  const fault = oneIdOf(ids("Fault"), chance);
  const rows: (readonly [Row, object?])[] = [...CHANGES];
  if (outcome !== undefined)
    rows.push(...twice(["liftNextOutcome", "DELETE", `/outcomes/next/${outcome}`]));
  if (fault !== undefined) rows.push(...twice(["clearFault", "DELETE", `/faults/${fault}`]));
  const [row, body] = chance.pick(rows);
  return control(world, row, { ...(body && { body }) });
};

/** Changes accounts, customers and cards beside the platform. */
const ofRecords: MakeCall = ({ world, model, chance }) => {
  const customerId = oneThat(model.customers, chance, present);
  const accountId = oneOf(model.accounts, chance);
  const cardId = oneOf(model.cards, chance);
  const rows: (readonly [Row, object?])[] = [];
  if (customerId !== undefined)
    rows.push(
      [["openInternalAccount", "POST", "/internal-accounts"], { customerId, currency: "EUR" }],
      [["setCustomerStatus", "PATCH", `/customers/${customerId}`], { kycStatus: "APPROVED" }],
    );
  if (accountId !== undefined)
    rows.push([
      ["setInternalAccountStatus", "PATCH", `/internal-accounts/${accountId}`],
      { status: chance.pick(["ACTIVE", "ACTIVE", "FROZEN"]) },
    ]);
  if (cardId !== undefined) rows.push([["closeCard", "POST", `/cards/${cardId}/close`]]);
  if (rows.length === 0) return undefined;
  const [row, body] = chance.pick(rows);
  return control(world, row, { ...(body && { body }) });
};

/** Asks what an agent's policy would say. */
const evaluate: MakeCall = ({ world, model, chance }) => {
  const id = oneThat(model.agents, chance, present);
  if (id === undefined) return undefined;
  return control(world, ["evaluatePolicy", "POST", `/agents/${id}/evaluate`], {
    body: { type: "TRANSFER_OUT", amount: chance.pick(AMOUNTS) },
  });
};

const decide: MakeCall = (client) => {
  const made = decision(client);
  if (!made) return undefined;
  const { verdict, id, agentId: _agent, body, requires, done, ...rest } = made;
  const operation = verdict === "approve" ? "approveWaitingAction" : "rejectWaitingAction";
  return control(client.world, [operation, "POST", `/approvals/${id}/${verdict}`], {
    ...rest,
    ...(body && { body }),
    requires: ({ action }) => requires(action),
    done: (known, { action }) => {
      done(known, action);
      // It failed in the call, which counts for nothing, or at once after it, which counts.
      if (action.status === "FAILED" && action.transaction) loseCount(known, client.nowMs());
    },
  });
};

/** Has agents' actions decided by the simulator, or by people again. */
const setApprovals: MakeCall = ({ world, chance, nowMs }) => {
  const mode = chance.pick(["ask", "ask", "approve", "reject"]);
  return control(world, ["setApprovals", "PUT", "/approvals"], {
    body: { mode },
    expects: [200],
    done: (known) => {
      known.decidesAlone = mode !== "ask";
      loseCount(known, nowMs());
    },
    learn: (known) => {
      known.decidesAlone ||= mode !== "ask";
      loseCount(known, nowMs());
    },
  });
};

/** Has receivers trusted by a certificate too, or by the usual authorities alone. */
const trust: MakeCall = ({ world, chance }) => {
  const ca = chance.pick([AUTHORITY, null, "no certificate"]);
  const many = ca === null ? 0 : 1;
  return control(world, ["setWebhookCa", "PUT", "/webhooks/ca"], {
    body: { ca },
    expects: ca === "no certificate" ? [400] : [200],
    requires: ({ certificates }) =>
      certificates.length === many ? undefined : `${certificates.length} certificates are trusted`,
    done: (known) => {
      known.trustsMore = ca !== null;
    },
    learn: (known, { ids, get }) => {
      const [config = ""] = ids("PlatformConfig");
      known.trustsMore = get("PlatformConfig", config).webhookCa !== undefined;
    },
  });
};

/** Makes customers in one call; what a crash leaves of it is known to nobody. */
const seed: MakeCall = ({ world, isCalm, nextKey }) => {
  if (!isCalm) return undefined;
  const name = nextKey();
  return control(world, ["seed", "POST", "/seed"], {
    body: { generate: { customers: { count: 2 } } },
    done: (known) => {
      known.jobs[`seed ${name}`] = { rows: 2, isSeed: true };
    },
  });
};

/** Calls of an operator on the control surface. */
export const CONTROL_CALLS: readonly (readonly [weight: number, make: MakeCall])[] = [
  [10, read],
  [2, page],
  [8, look],
  [4, requests],
  [2, events],
  [1, wait],
  [6, ofTimer],
  [10, ofWebhooks],
  [8, change],
  [6, ofRecords],
  [2, evaluate],
  [6, decide],
  [2, setApprovals],
  [1, trust],
  [4, seed],
];
