import { stripVTControlCharacters } from "node:util";
import { expect } from "vitest";
import type { Workbench } from "../../cli/setup/workbench.ts";

export const plain = stripVTControlCharacters;

/** The first lines of all reports, in the order of the alphabet: workers run side by side. */
export const reportsIn = (text: string) => (plain(text).match(/^service-sim: ".*$/gm) ?? []).sort();

/** Runs each line that replays something; resolves with the outcomes, sorted. */
export const replayAll = async (place: Workbench, text: string) => {
  const lines = plain(text).match(/^ {2}npx service-sim replay .*$/gm) ?? [];
  const outcomes: string[] = [];
  for (const line of lines) {
    expect(line.length).toBeLessThanOrEqual(80);
    const [, , ...args] = line.trim().split(" ");
    const { code, stdout } = await place.run(args, { folder: "npm" });
    outcomes.push(`${code} ${stdout}`);
  }
  return outcomes.sort();
};

export const REFUSED = expect.stringMatching(
  /^0 2 requests repeated, no difference\nrefused, as in the recorded run:\n {2}req-1-2 GET \/quotes\/Quote:none\n {4}404 QUOTE_NOT_FOUND: /,
);

/** Calls of a test, of which the second is refused: the test fails unless it expects that. */
export const FAILING_CALLS = `
  await sim.call.createCustomer({ body: { customerType: "INDIVIDUAL" } });
  await sim.call.getQuote({ params: { quoteId: "Quote:none" } });
`;
