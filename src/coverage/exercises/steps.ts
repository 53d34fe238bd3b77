import type { ScenarioStepOf } from "../../contract/control/scenarios.ts";
import type { ReceiverAnswer } from "../../scripts/receiver.ts";
import type { ScriptStep } from "../../scripts/script-run.ts";

/** Steps of an exercise. */
export type Steps = readonly ScriptStep[];

/** Exercises of a table: one for any row by its ending, and those of rows that need other steps. */
export interface TableExercises {
  any?(row: string): Steps;
  rows?: Readonly<Record<string, Steps>>;
}

/** A step that makes a call. */
export type CallStep = ScenarioStepOf<"request">;

type Request = CallStep["request"];

/** Members of a call beside its line and its body. */
interface More extends Pick<Request, "headers" | "file"> {
  /** Status of the answer; any 2xx when left out. */
  expect?: number;
}

const CALL_LINE = /^(?:(\w+) = )?([A-Z]+) (\/\S*)$/;

/** A call as `name = METHOD /path`. */
export const call = (line: string, body?: object, { expect, ...more }: More = {}): CallStep => {
  const [, name, method = "", path = ""] = CALL_LINE.exec(line) ?? [];
  return {
    ...(name !== undefined && { name }),
    request: {
      method: method as Request["method"],
      path,
      ...(body && { body: body as NonNullable<Request["body"]> }),
      ...more,
    },
    ...(expect !== undefined && { expect: { status: expect } }),
  };
};

/** A call that must be refused with a status. */
export const refused = (expect: number, line: string, body?: object): CallStep =>
  call(line, body, { expect });

export const advance = (span: string): ScriptStep => ({ advance: span });

/**
 * Starts a receiver and makes it the world's endpoint until the exercise ends.
 * @param answers the first ones by type of event; then it is 200
 */
export const receiver = (
  answers: Readonly<Record<string, readonly ReceiverAnswer["status"][]>> = {},
): Steps => [
  {
    name: "hooks",
    receiver: {
      answers: Object.entries(answers).flatMap(([type, statuses]) =>
        statuses.map((status) => ({ type, status, times: 1 })),
      ),
    },
  },
  call("PATCH /config", { webhookEndpoint: "${hooks.url}" }),
  // The new endpoint gets its TEST event first.
  advance("1ms"),
];

/** A call of a wallet's owner: its challenge, then the same call signed. */
export const signed = (line: string, body?: object): CallStep[] => [
  call(`asked = ${line}`, body, { expect: 202 }),
  answered(line, body),
];

const answered = (line: string, body?: object) =>
  call(`added = ${line}`, body, {
    headers: {
      "service-wallet-signature": "${owner.signature}",
      "request-id": "${owner.requestId}",
    },
  });

/** The same calls where some revisions do the first one at once. */
export const signedOrDone = (line: string, body?: object): CallStep[] => [
  call(`asked = ${line}`, body),
  answered(line, body),
];

/** A call by the agent of an exercise. */
export const byAgent = (line: string, body?: object, expect?: number): CallStep =>
  call(line, body, {
    headers: { authorization: "Bearer ${redeemed.accessToken}" },
    ...(expect !== undefined && { expect }),
  });

/** The same steps with the last call made twice under one idempotency key. */
export const repeated = (steps: Steps): Steps => {
  const { request, ...last } = steps.at(-1) as CallStep;
  const headers = { ...request.headers, "idempotency-key": "key-${random}" };
  const keyed = { ...last, request: { ...request, headers } };
  return [...steps.slice(0, -1), keyed, keyed];
};
