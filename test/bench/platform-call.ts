import { request } from "node:http";
import type { Simulator } from "../../src/simulator.ts";

export interface Answer {
  status: number;
  text: string;
}

/** Calls an operation of the platform; the path begins after the version. */
export type PlatformCall = (method: string, path: string, body?: object) => Promise<Answer>;

const LIMIT_MS = 10_000;

/** Calls over HTTP, a connection for each; `node:http` alone, since it loads fastest. */
export const callOverHttp =
  (apiUrl: string, authorization: string): PlatformCall =>
  (method, path, body) =>
    new Promise((resolve, reject) => {
      const text = body && JSON.stringify(body);
      const sent = request(apiUrl + path, {
        method,
        agent: false,
        timeout: LIMIT_MS,
        headers: {
          authorization,
          ...(text !== undefined && {
            "content-type": "application/json",
            "content-length": Buffer.byteLength(text),
          }),
        },
      });
      sent.on("timeout", () =>
        sent.destroy(new Error(`${method} ${path} took over ${LIMIT_MS} ms`)),
      );
      sent.on("error", reject);
      sent.on("response", (response) => {
        let received = "";
        response.setEncoding("utf8").on("data", (part: string) => {
          received += part;
        });
        response.on("error", reject);
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text: received }));
      });
      sent.end(text);
    });

/**
 * The JSON of a successful answer.
 * @throws for any other status
 */
export const json = async <Body>(answer: Promise<Answer>): Promise<Body> => {
  const { status, text } = await answer;
  if (status < 200 || status > 299)
    throw new Error(`Expected a success but found ${status} ${text}`);
  return JSON.parse(text) as Body;
};

/** Calls a simulator in this process, or a fork of one, without a socket. */
export const callInProcess = (
  sim: Pick<Simulator, "apiUrl" | "clientId" | "clientSecret" | "fetch">,
): PlatformCall => {
  const headers = {
    authorization: `Basic ${btoa(`${sim.clientId}:${sim.clientSecret}`)}`,
    "content-type": "application/json",
  };
  return async (method, path, body) => {
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await sim.fetch(new Request(sim.apiUrl + path, sent));
    return { status: response.status, text: await response.text() };
  };
};
