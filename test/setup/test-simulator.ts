import type { LocalSimulator, SimulatorOptions } from "../../src/simulator.ts";
import { phraseProblem, valueProblem } from "./message-check.ts";
import { controlProblemIn, openApiProblemIn } from "./openapi-check.ts";
import { isRepeated, openRepeated } from "./repeated.ts";
import { openCopyable } from "./world-copy.ts";

/** Bodies have every shape; tests state the shape they expect. */
export type Parsed = ReturnType<typeof JSON.parse>;

export interface Answer {
  status: number;
  headers: Headers;
  body: Parsed;
}

export const START = "2026-01-05T09:00:00.000Z";

/** A simulator in this process with a manual clock, and short ways to call it. */
export interface TestSimulator {
  sim: LocalSimulator;
  /** The revision it was started with. */
  revision?: string | undefined;
  /** Calls the platform; the answer is checked against the OpenAPI document. */
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Calls the platform with a body or headers made by hand. */
  raw(method: string, path: string, init?: RequestInit): Promise<Answer>;
  /** Calls the control surface; the answer is checked against its OpenAPI document. */
  control(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Alarms without an audience: stops, bugs. Empty at the end of every test. */
  alarms: string[];
}

const read = async (response: Response): Promise<Answer> => {
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(text) : text,
  };
};

/** Checks the promises of refusals for each one that a test meets. */
const checked = (asked: { path: string; init: RequestInit }, answer: Answer): Answer => {
  const phrase = phraseProblem(answer);
  if (phrase) throw new Error(`Expected our own words but found "${phrase}" from ${asked.path}`);
  const value = valueProblem(asked, answer);
  if (value) throw new Error(`Expected the value as sent but found ${value}: ${asked.path}`);
  return answer;
};

export const startTestSimulator = async (
  options: SimulatorOptions = {},
): Promise<TestSimulator> => {
  const alarms: string[] = [];
  const whole: SimulatorOptions = {
    seed: "test",
    clock: "manual",
    now: START,
    onAlarm: (message) => alarms.push(message),
    ...options,
  };
  const isNew = (whole.storage ?? "memory:") === "memory:";
  const sim = await (isRepeated() && isNew
    ? openRepeated(whole, openCopyable)
    : openCopyable(whole));
  const authorization = `Basic ${btoa(`${sim.clientId}:${sim.clientSecret}`)}`;

  const raw = async (method: string, path: string, init: RequestInit = {}) => {
    const headers = { authorization, ...(init.headers as Record<string, string>) };
    const request = new Request(sim.apiUrl + path, { ...init, method, headers });
    const answer = await read(await sim.fetch(request));
    const problem = openApiProblemIn(options.revision)({ method, path }, answer);
    if (problem) throw new Error(`Expected a documented answer but found ${problem}`);
    return checked({ path, init }, answer);
  };

  const json = (body: unknown): RequestInit =>
    body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };

  return {
    sim,
    revision: options.revision,
    alarms,
    raw,
    call: (method, path, body) => raw(method, path, json(body)),
    control: async (method, path, body) => {
      const init = json(body);
      const answer = await read(
        await sim.fetch(new Request(sim.controlUrl + path, { method, ...init })),
      );
      const problem = controlProblemIn(options.revision)({ method, path }, answer);
      if (problem) throw new Error(`Expected a documented answer but found ${problem}`);
      return checked({ path, init }, answer);
    },
  };
};
