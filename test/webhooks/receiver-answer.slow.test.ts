import { expect, test } from "vitest";
import { ReceiverAnswer } from "../../src/webhooks/receiver-answer.ts";
import { CUT_ANSWERS, NO_ANSWERS } from "./setup/cut-answers.ts";
import { type RawAnswer, WHOLE_ANSWERS } from "./setup/raw-answers.ts";

const ROWS = [...WHOLE_ANSWERS, ...CUT_ANSWERS, ...NO_ANSWERS];
/** Longer answers are cut at some places only. */
const EVERY_CUT = 2_000;

/** The verdict on an answer that comes in these packets. */
const read = (packets: readonly Buffer[], next: RawAnswer["next"]) => {
  const answer = new ReceiverAnswer();
  for (const packet of packets) if (answer.take(packet)) break;
  // Bytes of a later packet come between two attempts, where they end the connection.
  const isLast = packets.length === 1;
  const { mayGoOn } = answer;
  if (next !== "stays") answer.connectionEnded({ isClean: next === "closes" });
  const { status, isOver, problem } = answer;
  return { status, isOver, problem, ...(isLast && { mayGoOn }) };
};

const cutsOf = ({ length }: Buffer) =>
  length <= EVERY_CUT
    ? Array.from({ length: Math.max(0, length - 1) }, (_, at) => at + 1)
    : [1, 4, 5, 15, 16, 17, 18, 1_000, 8_191, 8_192, 8_193, length - 3, length - 2, length - 1];

// spec/webhooks.md#acceptance
test.each(ROWS)("$says: any two packets are read as one", ({ bytes, next, verdict, ...row }) => {
  const whole = Buffer.from(bytes, "latin1");
  const one = read([whole], next);
  const isNever = verdict instanceof RegExp && verdict.test("no complete answer within 1 ms");
  if (typeof verdict === "number") expect(one).toMatchObject({ status: verdict, isOver: true });
  else if (isNever) expect(one).toMatchObject({ isOver: false });
  expect(one.mayGoOn).toBe(row.isKept ?? false);
  const { mayGoOn: _one, ...expected } = one;
  const says = (problem = "") => problem.replace(/".*"$/, "");
  for (const at of cutsOf(whole)) {
    const two = read([whole.subarray(0, at), whole.subarray(at)], next);
    expect({ ...two, problem: says(two.problem) }, `cut at ${at}`).toEqual({
      ...expected,
      problem: says(expected.problem),
    });
  }
});

test("an answer that comes byte by byte is the same answer", () => {
  for (const { says, bytes, next } of ROWS) {
    if (bytes.length > EVERY_CUT) continue;
    const whole = Buffer.from(bytes, "latin1");
    const { mayGoOn: _one, problem = "", ...expected } = read([whole], next);
    const { problem: found = "", ...trickled } = read(
      [...whole].map((byte) => Buffer.from([byte])),
      next,
    );
    const isOne = whole.length <= 1;
    expect({ ...trickled, ...(isOne && { mayGoOn: _one }) }, says).toMatchObject(expected);
    expect(found === "", says).toBe(problem === "");
  }
});

test("the body is kept up to its limit, whatever its framing", () => {
  const answer = new ReceiverAnswer();
  answer.take(Buffer.from("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"));
  let chunks = 0;
  while (!answer.take(Buffer.from(`400\r\n${"x".repeat(1024)}\r\n`))) chunks += 1;
  expect(chunks).toBe(63);
  expect(answer.body()).toHaveLength(65_536);
});
