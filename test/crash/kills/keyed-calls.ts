import type { Ready } from "../../setup/cli.ts";
import type { Parsed } from "../../setup/test-simulator.ts";

/** An answer with its exact text. */
export interface Answered {
  status: number;
  text: string;
  body: Parsed;
}

/** A call of the platform; the same key gets the same answer. */
export interface Keyed {
  method: string;
  path: string;
  body?: object | FormData;
  key?: string;
  /** A world other than the first one. */
  world?: string;
}

const headersOf = ({ clientId, clientSecret }: Ready, { body, key, world }: Keyed) => ({
  connection: "close",
  authorization: `Basic ${btoa(`${world ? `${clientId}+${world}` : clientId}:${clientSecret}`)}`,
  ...(key !== undefined && { "idempotency-key": key }),
  ...(body && !(body instanceof FormData) && { "content-type": "application/json" }),
});

/** Calls the platform; rejects when a kill cut the call off. */
export const callPlatform = async (ready: Ready, call: Keyed): Promise<Answered> => {
  const { method, path, body } = call;
  const response = await fetch(ready.apiUrl + path, {
    method,
    headers: headersOf(ready, call),
    ...(body && { body: body instanceof FormData ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text, body: text === "" ? undefined : JSON.parse(text) };
};
