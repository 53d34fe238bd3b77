import type { ScenarioStep, ScenarioStepOf } from "../../contract/control/scenarios.ts";
import { OPERATIONS_OF_ANY_REVISION } from "../../contract/operations.ts";
import { verifyBytes } from "../../crypto/ecdsa.ts";
import { bareSignature } from "../../crypto/webhook-signature.ts";
import { packageFolder } from "../../machine/package-folder.ts";
import { sendInProcess } from "../../scripts/in-process-send.ts";
import { type Delivery, membersIn } from "../../scripts/receiver.ts";
import { isReference, piecesOf, type Reference, textsIn } from "../../scripts/references.ts";
import { openScenario } from "../../scripts/script-files.ts";
import { type Outcome, ScriptRun } from "../../scripts/script-run.ts";
import { createSimulator } from "../../simulator.ts";
import { money } from "../../text/layout.ts";
import { asCalled } from "../text/called-as.ts";
import { signatureIn } from "./signature-header.ts";

/** One step of the demo: the call, its result, and whether that was expected. */
export interface DemoStep {
  n: number;
  operation: string;
  says: string;
  status: number;
  shows: string;
  ok: boolean;
  /** The same step as shell lines. */
  curl?: string;
}

export interface DemoReport {
  ok: boolean;
  steps: DemoStep[];
  simulatedMs: number;
  wallMs: number;
  webhooks: { received: number; verified: number; types: string[] };
  arrived: string;
}

/** Events of a successful payout, in the order in which they reach the receiver's payment lane. */
const EXPECTED_PAYMENT_EVENTS = [
  "OUTGOING_PAYMENT.PENDING",
  "OUTGOING_PAYMENT.PROCESSING",
  "OUTGOING_PAYMENT.COMPLETED",
];
const SIMULATED_MS = 360_000;

type Body = ReturnType<typeof JSON.parse>;

const tail = (id: unknown) => `…${String(id).slice(-6)}`;

/** Words for an answer, by operation; its status where there are none. */
const SHOWN: Readonly<Record<string, (body: Body) => string>> = {
  patchConfig: ({ webhookEndpoint }) => new URL(webhookEndpoint).origin,
  fundInternalAccount: ({ balance }) => money(balance.amount, balance.currency.code),
  createQuote: ({ totalReceivingAmount, feesIncluded }) =>
    `${money(totalReceivingAmount, "EUR")}, fee ${money(feesIncluded, "USD")}`,
  createCustomer: ({ id }) => tail(id),
  createCustomerExternalAccount: ({ id }) => tail(id),
  listCustomerInternalAccounts: ({ data }) => tail(data[0].id),
};

const operationOf = ({ method, path }: ScenarioStepOf<"request">["request"]) => {
  const parts = path.replace(/\?.*/, "").split("/");
  return OPERATIONS_OF_ANY_REVISION.find((one) => {
    const template = one.path.split("/");
    const fits = (part: string, at: number) => part === parts[at] || part.startsWith("{");
    return one.method === method && template.length === parts.length && template.every(fits);
  })?.operationId;
};

/** References of a script, by the step that each names. */
const referencesIn = (steps: readonly ScenarioStep[]): ReadonlyMap<string, Reference> =>
  new Map(
    textsIn(steps, [])
      .flatMap(({ text }) => piecesOf(text))
      .flatMap((piece) =>
        typeof piece === "object" && isReference(piece) ? [[piece.step, piece]] : [],
      ),
  );

/** A text in which each reference is the variable of its step. */
const named = (text: string, quote: (variable: string) => string) =>
  text.replace(/\$\{(\w+)[^}]*\}/g, (_, step: string) => quote(`$${step.toUpperCase()}`));

/** A call as a shell line; an answer that later steps refer to is kept in a variable. */
const curlOf = (
  { name = "", request: { method, path, body } }: ScenarioStepOf<"request">,
  references: ReadonlyMap<string, Reference>,
) => {
  const text = body && named(JSON.stringify(body), (variable) => `'"${variable}"'`);
  const call = [
    'curl -s -u "$SERVICE_SIM_CLIENT_ID:$SERVICE_SIM_CLIENT_SECRET"',
    ...(method === "GET" || (method === "POST" && text !== undefined) ? [] : [`-X ${method}`]),
    ...(text === undefined ? [] : [`-H 'content-type: application/json' -d '${text}'`]),
    `"$SERVICE_SIM_API_URL${named(path, (variable) => variable)}"`,
  ].join(" ");
  const kept = references.get(name);
  if (!kept) return call;
  const member = kept.members.map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`));
  const read = `node -pe 'JSON.parse(require("fs").readFileSync(0))${member.join("")}'`;
  return `${name.toUpperCase()}=$(${call} | ${read})`;
};

/** A step of the script as the demo shows it; a receiver shows nothing by itself. */
const shownStep = (
  step: ScenarioStep,
  { called = "", status = 200, answer, differences: [first] }: Outcome,
  references: ReadonlyMap<string, Reference>,
): Omit<DemoStep, "n"> | undefined => {
  const ok = !first;
  const failure = first && `expected ${first.expected}: ${first.found}`;
  if ("advance" in step) {
    const says = asCalled(`service-sim advance ${step.advance}`);
    const shows = failure ?? `${(answer as Body).firedCount} timer fired`;
    return { operation: "advance", says, status, shows, ok };
  }
  if (!("request" in step)) return undefined;
  const operation = operationOf(step.request) ?? "";
  const path = called.replace(/\?.*/, "").replace(/\w+:[0-9a-f-]{36}/g, tail);
  const note = step.note === undefined ? "" : `, ${step.note}`;
  const show = SHOWN[operation] ?? ((body: Body) => body.status);
  return {
    operation,
    says: `${step.request.method} ${path}${note}`,
    status,
    shows: failure ?? show(answer),
    ok,
    curl: curlOf(step, references),
  };
};

/** Starts a simulator in memory and plays a slow payout on it, step by step. */
export const walkDemo = async (): Promise<DemoReport> => {
  const startedMs = performance.now();
  const { scenario } = await openScenario(packageFolder("fixtures/scripts/demo.json"));
  const references = referencesIn(scenario.steps);
  const sim = await createSimulator({ clock: "manual", seed: "demo" });
  const webhooks: DemoReport["webhooks"] = { received: 0, verified: 0, types: [] };
  const onDelivery = ({ headers, body }: Delivery) => {
    const signature = signatureIn(headers)?.value ?? "";
    webhooks.received += 1;
    if (verifyBytes(sim.webhookPublicKey, body, bareSignature(signature))) webhooks.verified += 1;
    webhooks.types.push(String(membersIn(body)?.type));
  };
  const run = new ScriptRun(sendInProcess(sim), { onDelivery });
  const steps: DemoStep[] = [];
  try {
    for (const [at, step] of scenario.steps.entries()) {
      const shown = shownStep(step, await run.outcomeOf(step, ["steps", at]), references);
      if (shown) steps.push({ n: steps.length + 1, ...shown });
      if (shown?.ok === false) break;
    }
  } finally {
    await sim.close();
    run.end();
  }
  const settled = run.answers.get("settled") as Body;
  const payments = webhooks.types.filter((type) => type.startsWith("OUTGOING_PAYMENT"));
  const inOrder = payments.join() === EXPECTED_PAYMENT_EVENTS.join();
  return {
    ok: steps.every(({ ok }) => ok) && inOrder && webhooks.received === webhooks.verified,
    steps,
    simulatedMs: SIMULATED_MS,
    wallMs: Math.round(performance.now() - startedMs),
    webhooks,
    arrived: money(settled?.totalReceivingAmount ?? 0, "EUR"),
  };
};
