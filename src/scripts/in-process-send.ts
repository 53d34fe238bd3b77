import { controlPath, type Send } from "./script-call.ts";

/** A world that answers requests in its own process. */
export interface AnsweringWorld {
  readonly apiUrl: string;
  readonly controlUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Token of the control surface, where one is needed. */
  readonly controlToken?: string;
  /** Name of the world; left out where only one can be meant. */
  readonly world?: string;
  fetch(request: Request): Promise<Response>;
}

/** Makes calls of a world in this process. */
export const sendInProcess = (target: AnsweringWorld): Send => {
  const { world, controlToken } = target;
  const basic = `Basic ${btoa(`${target.clientId}:${target.clientSecret}`)}`;
  return async (call) => {
    const below = controlPath(call);
    const { method, path, headers, body } = call;
    const isBearer = below !== undefined && controlToken !== undefined;
    const answer = await target.fetch(
      new Request(below === undefined ? target.apiUrl + path : target.controlUrl + below, {
        method,
        headers: {
          // A call without credentials of its own would belong to the default world.
          ...(world !== undefined && world !== "sandbox" && { "x-sim-world": world }),
          authorization: isBearer ? `Bearer ${controlToken}` : basic,
          ...headers,
        },
        ...(body && { body: Buffer.from(body) }),
      }),
    );
    const text = await answer.text();
    const isJson = answer.headers.get("content-type")?.includes("json") === true;
    return { status: answer.status, body: isJson && text !== "" ? JSON.parse(text) : undefined };
  };
};
