import type { Socket } from "node:net";
import { expect, test } from "vitest";
import type { AttemptAnswer } from "../../src/runtime/ports.ts";
import { attemptDelivery } from "../../src/webhooks/attempt.ts";
import { WebhookTargets } from "../../src/webhooks/targets.ts";
import { turn } from "../runtime/setup/turns.ts";
import { CUT_ANSWERS, NO_ANSWERS } from "./setup/cut-answers.ts";
import { type RawAnswer, WHOLE_ANSWERS } from "./setup/raw-answers.ts";
import { listenRaw } from "./setup/raw-receiver.ts";

const ROWS = [...WHOLE_ANSWERS, ...CUT_ANSWERS, ...NO_ANSWERS];

/** The limit of an attempt that runs into it, and of one that must not. */
const LIMITS_MS = { never: 250, ample: 60_000 };
/** Turns after which two packets are read one by one. */
const BETWEEN_PACKETS = 20;

const written = (socket: Socket, bytes: Buffer) =>
  new Promise<void>(
    (done) => void (bytes.length === 0 ? done() : socket.write(bytes, () => done())),
  );

/** Sends a reset alone: `resetAndDestroy` sends an end before it. */
const reset = (socket: Socket) =>
  (socket as unknown as { _handle: { reset(done: () => void): number } })._handle.reset(() =>
    socket.destroy(),
  );

/** Writes an answer in as many packets, and ends the connection as the row says. */
const answerWith = async (socket: Socket, { bytes, next }: RawAnswer, packets: 1 | 2) => {
  const whole = Buffer.from(bytes, "latin1");
  const head = whole.indexOf("\n\r\n") + 3;
  const middle = Math.floor(whole.length / 2);
  const cut = packets === 1 ? whole.length : head > 3 && head < whole.length ? head : middle;
  await written(socket, whole.subarray(0, cut));
  for (let turns = 0; packets === 2 && turns < BETWEEN_PACKETS; turns += 1) await turn();
  await written(socket, whole.subarray(cut));
  if (next === "closes") socket.end();
  if (next === "resets") reset(socket);
};

const isVerdict = ({ httpStatus, error }: AttemptAnswer, verdict: number | RegExp) =>
  typeof verdict === "number"
    ? httpStatus === verdict && error === undefined
    : httpStatus === undefined && verdict.test(error ?? "");

const neverEnds = ({ verdict }: RawAnswer) => /no whole answer/.test(String(verdict));

const attempt = (url: string, row: RawAnswer, bodyDecides: boolean) =>
  attemptDelivery({
    url,
    body: Buffer.from('{"id":"1"}'),
    headers: {},
    timeoutMs: neverEnds(row) ? LIMITS_MS.never : LIMITS_MS.ample,
    bodyDecides,
    targets: new WebhookTargets({ isLoopback: () => true }),
  });

// spec/webhooks.md#acceptance
test.each(
  ROWS.flatMap((row) => [
    { ...row, packets: 1 as const },
    { ...row, packets: 2 as const },
  ]),
)("$says, in $packets", async ({ packets, ...row }) => {
  const { url } = await listenRaw((socket) => void answerWith(socket, row, packets));
  const [plain, deciding] = await Promise.all([attempt(url, row, false), attempt(url, row, true)]);
  expect(plain).toSatisfy((found: AttemptAnswer) => isVerdict(found, row.verdict));
  const strict = row.whenBodyDecides ?? row.verdict;
  // Node.js tells a reset behind data as a clean end on some systems.
  const fits = [strict, ...(row.next === "resets" ? [row.verdict] : [])];
  expect(deciding).toSatisfy((found: AttemptAnswer) => fits.some((fit) => isVerdict(found, fit)));
});

test("an answer that comes before the request was read is its answer", async () => {
  const row = WHOLE_ANSWERS[0] as RawAnswer;
  let answered = 0;
  const { url } = await listenRaw(
    (socket) => {
      answered += 1;
      if (answered > 1) return;
      socket.pause();
      socket.end(row.bytes);
    },
    { mayBeCut: true },
  );
  // More than the buffers of both sides take.
  const body = Buffer.alloc(16 * 1024 * 1024, "x");
  const answer = await attemptDelivery({ url, body, headers: {}, timeoutMs: LIMITS_MS.ample });
  expect(answer).toMatchObject({ httpStatus: 200, reply: "ok" });
});

test("a receiver that answers first and reads then gets the whole request", async () => {
  const length = 4 * 1024 * 1024;
  let read = 0;
  let ended = () => {};
  const end = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const { url } = await listenRaw(
    (socket) => {
      socket.removeAllListeners("data");
      socket.on("data", (bytes) => {
        read += bytes.length;
      });
      socket.on("close", ended);
      socket.write("HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n");
    },
    { mayBeCut: true },
  );
  const body = Buffer.alloc(length, "x");
  const answer = await attemptDelivery({ url, body, headers: {}, timeoutMs: LIMITS_MS.ample });
  expect(answer.httpStatus).toBe(202);
  await end;
  // The first packet came before this test counted.
  expect(read).toBeGreaterThan(length - 256 * 1024);
});
