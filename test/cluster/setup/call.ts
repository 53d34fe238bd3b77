import { request } from "node:http";

const LONGEST_CALL_MS = 10_000;

/** An answer with its text. */
export interface Answer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
}

/** One HTTP call on a connection of its own; it rejects where no whole answer comes in 10 s. */
export const httpCall = (
  url: string,
  {
    method,
    headers = {},
    body,
  }: { method: string; headers?: Record<string, string>; body?: object | undefined },
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const text = body && JSON.stringify(body);
    const sent = request(url, {
      method,
      agent: false,
      headers: { ...headers, ...(text !== undefined && { "content-type": "application/json" }) },
    });
    const timer = setTimeout(() => sent.destroy(new Error("no answer")), LONGEST_CALL_MS);
    const fail = (error: Error) => {
      clearTimeout(timer);
      reject(error);
    };
    sent.on("error", fail);
    sent.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", fail);
      response.on("close", () => {
        if (!response.complete) return fail(new Error("half an answer"));
        clearTimeout(timer);
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers, text: Buffer.concat(chunks).toString("utf8") });
      });
    });
    sent.end(text);
  });
