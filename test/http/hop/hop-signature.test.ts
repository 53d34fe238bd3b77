import { createHmac } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { hopBodyOf } from "../../../src/http/hop/hop-body.ts";
import { HopClient } from "../../../src/http/hop/hop-client.ts";
import { hopServer } from "../../../src/http/hop/hop-server.ts";
import type { HttpRequest } from "../../../src/http/message/http-request.ts";
import { exchange } from "../setup/raw-socket.ts";
import { KEY, TwoProcesses } from "./setup/two-processes.ts";

let both: TwoProcesses | undefined;

afterEach(async () => {
  await both?.close();
  both = undefined;
});

const OTHER_KEY = Buffer.alloc(32, 8);

/** The header as the specification has it, made without the code that is tried. */
const header = (parts: readonly string[], key = KEY) => {
  const signature = createHmac("sha256", key).update(JSON.stringify(parts)).digest("base64url");
  return `x-sim-hop: ${parts.slice(1, 4).join(" ")} ${signature}`;
};

const RIGHT = ["sim-2", "sim-1", "https", "10.0.0.9", "POST", "/quotes?a=1"] as const;
const otherwise = (at: number, part: string) =>
  RIGHT.map((one, place) => (place === at ? part : one));

const start = async () => {
  const seen: string[] = [];
  both = await TwoProcesses.start((request) => {
    seen.push(request.url);
    return { status: 200, headers: {}, text: "done" };
  });
  return { both, seen, port: Number(both.peer.split(":")[1]) };
};

const FORBIDDEN = {
  error: {
    code: "FORBIDDEN",
    message: "This port is for the other processes of the store",
    next: ["Use the port that service-sim status prints"],
  },
};

describe("a peer listener (spec/store.md#hops)", () => {
  test("takes a request that is signed for it", async () => {
    const { port, seen } = await start();
    const headers = [header(RIGHT), "content-length: 0"];
    const answer = await exchange(port, { method: "POST", target: "/quotes?a=1", headers });
    expect(answer).toMatchObject({ status: 200, body: "done" });
    expect(seen).toEqual(["https://127.0.0.1/quotes?a=1"]);
  });

  test.each([
    { what: "no signature", lines: [] },
    { what: "another key", lines: [header(RIGHT, OTHER_KEY)] },
    { what: "one for another process", lines: [header(otherwise(0, "sim-3"))] },
    { what: "one for another method", lines: [header(otherwise(4, "GET"))] },
    { what: "one for another path", lines: [header(otherwise(5, "/quotes"))] },
    { what: "one for another query", lines: [header(otherwise(5, "/quotes?a=2"))] },
    { what: "another sender", lines: [header(RIGHT).replace("sim-1", "sim-4")] },
    { what: "another scheme", lines: [header(RIGHT).replace("https", "http")] },
    { what: "another caller", lines: [header(RIGHT).replace("10.0.0.9", "10.0.0.8")] },
    { what: "a shorter one", lines: [header(RIGHT).slice(0, -1)] },
    { what: "two of them", lines: [header(RIGHT), header(RIGHT)] },
    { what: "no form", lines: ["x-sim-hop: refused"] },
  ])("refuses $what", async ({ lines }) => {
    const { port, seen } = await start();
    const headers = [...lines, "content-length: 4"];
    const body = "body";
    const answer = await exchange(port, { method: "POST", target: "/quotes?a=1", headers, body });
    expect(answer.status).toBe(403);
    expect(answer.headers["content-type"]).toBe("application/json");
    expect(JSON.parse(answer.body)).toEqual(FORBIDDEN);
    expect(seen).toEqual([]);
  });

  test("refuses a process that is none of the store", async () => {
    const listening = {
      process: "sim-2",
      key: KEY,
      isKnown: (from: string) => from === "sim-5",
    };
    both = await TwoProcesses.start(
      hopServer(() => ({ status: 200, headers: {}, text: "done" }), listening),
    );
    const refused = { kind: "gone", mayHaveArrived: false };
    const request: HttpRequest = new Request("http://127.0.0.1/a");
    expect(await both.pass(request)).toMatchObject(refused);
    const known = new HopClient({ from: "sim-5", key: KEY });
    const to = { id: "sim-2", peer: both.peer };
    expect(await known.send(request, to, await hopBodyOf(request))).toMatchObject({
      kind: "reply",
    });
    known.close();
  });

  test("refuses the key of another store: the request did not arrive", async () => {
    const { both, seen } = await start();
    const other = new HopClient({ from: "sim-1", key: OTHER_KEY });
    const request: HttpRequest = new Request("http://127.0.0.1/a");
    const result = await other.send(
      request,
      { id: "sim-2", peer: both.peer },
      await hopBodyOf(request),
    );
    expect(result).toEqual({
      kind: "gone",
      mayHaveArrived: false,
      why: "it does not take the signature of this process",
    });
    expect(seen).toEqual([]);
    other.close();
  });
});
