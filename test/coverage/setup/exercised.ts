import type {
  ExerciseAnswer,
  ExerciseCall,
  SendExercise,
} from "../../../src/coverage/exercise-run.ts";
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
