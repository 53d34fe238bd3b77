import { expect } from "vitest";
import { runExercise } from "../../../src/coverage/exercise-run.ts";
import { exerciseSteps, itemNamed } from "../../../src/coverage/exercises.ts";
import { sendInProcess } from "../../../src/scripts/in-process-send.ts";
import { jsonCall } from "../../../src/scripts/script-call.ts";
import type { Simulator } from "../../../src/simulator.ts";

const COMMAND = /^service-sim coverage --exercise (?:'(\S+)'|([\w.:-]+))$/;
const CALL = /^(GET|POST|PATCH|PUT|DELETE) (\/[^\s<>]+)(?: (\{.*\}))?$/;

/** Does what a line says: the call that it shows, or the steps of the command. */
export const follow = async (line: string, sim: Simulator) => {
  const [, quoted, plain] = COMMAND.exec(line) ?? [];
  const item = itemNamed(quoted ?? plain ?? "");
  if (item) return runExercise(exerciseSteps(item), sendInProcess(sim));
  const [, method = "", path = "", json] = CALL.exec(line) ?? [];
  expect(method, line).not.toBe("");
  return sendInProcess(sim)(
    jsonCall(method, path, json === undefined ? undefined : JSON.parse(json)),
  );
};
