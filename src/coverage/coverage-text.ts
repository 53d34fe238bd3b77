import type { CoverageReport } from "../contract/control/coverage.ts";

/** Names of the groups as a sentence has them. */
const GROUP_WORDS: Readonly<Record<string, string>> = {
  signedRetries: "signed retries",
};

/** The name of a group in words. */
export const groupWords = (name: string) => GROUP_WORDS[name] ?? name;

/** `162 of 375 items`, over all groups. */
export const itemsMet = ({ groups }: CoverageReport): string => {
  const met = groups.reduce((sum, group) => sum + group.met, 0);
  const total = groups.reduce((sum, group) => sum + group.total, 0);
  return `${met} of ${total} items`;
};

/** Whether anything was met at all. */
export const isAnythingMet = ({ groups }: CoverageReport) => groups.some(({ met }) => met > 0);

/** A report in one sentence, for the end of a test run. */
export const coverageSummary = (report: CoverageReport): string => {
  const parts = report.groups.map(({ name, met, total }) => `${groupWords(name)} ${met}/${total}`);
  return `coverage ${report.score} %, ${itemsMet(report)}: ${parts.join(", ")}`;
};
