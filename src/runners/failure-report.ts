import { refusedRows, withShortIds } from "../contract/control/refused-rows.ts";
import type { WorldRecording } from "../library/contract-types.ts";
import type { Simulator } from "../library/simulator.ts";
import { keepFailure } from "./failure-files.ts";

/** A test that has failed, and its world. */
export interface FailedTest {
  world: string;
  /** Left out when nobody knows it: its process ended before it told. */
  title?: string | undefined;
  hasEnded?: true;
}

const COLUMNS = 80;

const cut = (line: string) => (line.length <= COLUMNS ? line : `${line.slice(0, COLUMNS - 1)}…`);

/** Rows under a heading in their first one. */
const rowsOf = (heading: string, rows: readonly string[], none: string) =>
  (rows.length === 0 ? [none] : rows).map((row, index) =>
    cut(`  ${(index === 0 ? heading : "").padEnd(8)}  ${row}`),
  );

const webhookRows = ({ webhooks }: WorldRecording) =>
  webhooks.map(({ type, about, state, answer }) =>
    [type, state === "UNDELIVERABLE" ? "collected" : state, answer, about]
      .filter((word) => word !== undefined)
      .map(withShortIds)
      .join(" "),
  );

/** The place of the capsule and the line that repeats it, or the reason why there is none. */
const capsuleRows = ({ world, capsule, left }: WorldRecording) => {
  if (capsule === undefined) return [`  no capsule: ${left}`];
  try {
    const file = keepFailure(process.cwd(), world, capsule);
    return [`  capsule   ${file}`, `  npx service-sim replay ${file}`];
  } catch (error) {
    const { message } = error as Error;
    return [`  no capsule: ${message}`];
  }
};

const headingOf = ({ world, title, hasEnded }: FailedTest) => {
  const test = title === undefined ? "a test" : `"${title}"`;
  return hasEnded
    ? `service-sim: the process of ${test} ended and left the world ${world}`
    : `service-sim: ${test} failed in the world ${world}`;
};

/** The text of a failed test: its world, what was refused there, and the line that repeats it. */
export const failureText = (failed: FailedTest, recording: WorldRecording): string =>
  [
    headingOf(failed),
    ...rowsOf("refused", recording.refused.flatMap(refusedRows), "no call"),
    ...rowsOf("webhooks", webhookRows(recording), "none"),
    ...capsuleRows(recording),
  ].join("\n");

/**
 * The report of a failed test, whose capsule is kept in the workspace.
 * @returns nothing when its world was never made, or the simulator is gone
 */
export const failureReport = async (
  shared: Simulator,
  failed: FailedTest,
): Promise<{ text: string } | undefined> => {
  try {
    const recording = await shared.recording(failed.world);
    return { text: failureText(failed, recording) };
  } catch {
    // The test has failed already: what it met stands above, and this is an aid.
    return undefined;
  }
};

/** Worlds of tests that are still there, when no test runs any more. */
const WORLD_OF_TEST = /^t-[0-9a-f]{12}(-r[0-9]+)?$/;
/** Most worlds that are told of at the end of a run. */
const MOST_LEFT = 5;

const namesOf = async (shared: Simulator): Promise<string[]> => {
  try {
    const response = await shared.fetch(new Request(`${shared.controlUrl}/worlds`));
    const { data = [] } = (await response.json()) as { data?: { name: string }[] };
    return data.map(({ name }) => name);
  } catch {
    return [];
  }
};

/**
 * Reports of tests whose process ended: their worlds were never removed.
 * @param titles of the worlds of such tests; those of all that are left when it is not known
 */
export const reportsOfLeft = async (
  shared: Simulator,
  titles?: ReadonlyMap<string, string>,
): Promise<string[]> => {
  const left = (await namesOf(shared)).filter((name) =>
    titles ? titles.has(name) : WORLD_OF_TEST.test(name),
  );
  const reports: string[] = [];
  for (const world of left.slice(0, MOST_LEFT)) {
    const failed = { world, title: titles?.get(world), hasEnded: true as const };
    const report = await failureReport(shared, failed);
    if (report) reports.push(report.text);
  }
  return reports;
};
