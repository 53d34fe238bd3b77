import { FastResponse } from "srvx";

/** What goes back over HTTP: a status, JSON text, and headers. */
export interface Reply {
  status: number;
  /** JSON text; none for 204. */
  text?: string;
  /** A body that goes on, in place of a text. */
  stream?: ReadableStream<Uint8Array>;
  headers?: Record<string, string>;
}

let dateSecond = -1;
let dateText = "";

/** The `Date` header reads the simulated clock, like everything else. */
const dateHeader = (atMs: number) => {
  const second = Math.floor(atMs / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateText = new Date(atMs).toUTCString();
  }
  return dateText;
};

export const toResponse = ({ status, text, stream, headers }: Reply, atMs: number): Response => {
  const date = dateHeader(atMs);
  if (text === undefined)
    return new FastResponse(stream ?? null, { status, headers: { date, ...headers } });
  return new FastResponse(text, {
    status,
    headers: { "content-type": "application/json", date, ...headers },
  });
};

export const jsonReply = (status: number, body: unknown): Reply =>
  body === undefined ? { status } : { status, text: JSON.stringify(body) };
