import type { ExerciseCall } from "./exercise-run.ts";

/** A world that answers requests in its own process. */
export interface CalledWorld {
  world: string;
  apiUrl: string;
  controlUrl: string;
  clientId: string;
  clientSecret: string;
  fetch(request: Request): Promise<Response>;
}

const CONTROL_PREFIX = "/_sim";

/** Tests if a call of an exercise goes to the control surface. */
export const isControlCall = ({ path }: Pick<ExerciseCall, "path">) =>
  path.startsWith(`${CONTROL_PREFIX}/`);

const formOf = ({ body, file }: ExerciseCall) => {
  const form = new FormData();
  for (const [name, value] of Object.entries((body ?? {}) as Record<string, string>))
    form.append(name, value);
  if (file) form.append(file.member, new Blob([file.text]), file.fileName);
  return form;
};

/** The text that a call sends; nothing for a form, and for a call without a body. */
export const sentText = ({ body, file, text }: ExerciseCall): string | undefined => {
  if (file) return undefined;
  return text ?? (body === undefined ? undefined : JSON.stringify(body));
};

/** Has a world answer a call of an exercise. */
export const answerInProcess = (sim: CalledWorld, call: ExerciseCall): Promise<Response> => {
  const { method, path, headers, file } = call;
  const text = sentText(call);
  const url = isControlCall(call)
    ? sim.controlUrl + path.slice(CONTROL_PREFIX.length)
    : sim.apiUrl + path;
  return sim.fetch(
    new Request(url, {
      method,
      headers: {
        // A call without credentials of its own would belong to the starting world.
        ...(sim.world !== "sandbox" && { "x-sim-world": sim.world }),
        authorization: `Basic ${btoa(`${sim.clientId}:${sim.clientSecret}`)}`,
        ...(text !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(file ? { body: formOf(call) } : text !== undefined && { body: text }),
    }),
  );
};
