import { expect } from "vitest";
import {
  type ExerciseAnswer,
  type ExerciseCall,
  runExercise,
  type SendExercise,
} from "../../../src/coverage/exercise-run.ts";
import { exerciseSteps, itemNamed } from "../../../src/coverage/exercises.ts";
import type { Simulator } from "../../../src/simulator.ts";

const formOf = ({ body, file }: ExerciseCall) => {
  const form = new FormData();
  for (const [name, value] of Object.entries((body ?? {}) as Record<string, string>))
    form.append(name, value);
  if (file) form.append(file.member, new Blob([file.text]), file.fileName);
  return form;
};

/** Sends the calls of an exercise to a simulator in this process. */
export const sendTo =
  (sim: Simulator): SendExercise =>
  async (call): Promise<ExerciseAnswer> => {
    const { method, path, headers, body, file, text: raw } = call;
    const json = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const isControl = path.startsWith("/_sim/");
    const url = isControl ? sim.controlUrl + path.slice("/_sim".length) : sim.apiUrl + path;
    const response = await sim.fetch(
      new Request(url, {
        method,
        headers: {
          // A call without credentials of its own would belong to the starting world.
          ...(sim.world !== "sandbox" && { "x-sim-world": sim.world }),
          authorization: `Basic ${btoa(`${sim.clientId}:${sim.clientSecret}`)}`,
          ...(json !== undefined && !file && { "content-type": "application/json" }),
          ...headers,
        },
        ...(file ? { body: formOf(call) } : json !== undefined && { body: json }),
      }),
    );
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    return { status: response.status, body: isJson ? JSON.parse(text) : text };
  };

const COMMAND = /^service-sim coverage --exercise (?:'(\S+)'|([\w.:-]+))$/;
const CALL = /^(GET|POST|PATCH|PUT|DELETE) (\/[^\s<>]+)(?: (\{.*\}))?$/;

/** Does what a line says: the call that it shows, or the steps of the command. */
export const follow = async (line: string, sim: Simulator) => {
  const [, quoted, plain] = COMMAND.exec(line) ?? [];
  const item = itemNamed(quoted ?? plain ?? "");
  if (item) return runExercise(exerciseSteps(item), sendTo(sim));
  const [, method = "", path = "", json] = CALL.exec(line) ?? [];
  expect(method, line).not.toBe("");
  const body = json === undefined ? {} : { body: JSON.parse(json) };
  return sendTo(sim)({ method, path, headers: {}, ...body });
};
