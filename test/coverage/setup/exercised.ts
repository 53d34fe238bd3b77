import { expect } from "vitest";
import {
  type ExerciseAnswer,
  runExercise,
  type SendExercise,
} from "../../../src/coverage/exercise-run.ts";
import { exerciseSteps, itemNamed } from "../../../src/coverage/exercises.ts";
import { answerInProcess } from "../../../src/coverage/in-process-sender.ts";
import type { Simulator } from "../../../src/simulator.ts";

/** Sends the calls of an exercise to a simulator in this process. */
export const sendTo =
  (sim: Simulator): SendExercise =>
  async (call): Promise<ExerciseAnswer> => {
    const response = await answerInProcess(sim, call);
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
