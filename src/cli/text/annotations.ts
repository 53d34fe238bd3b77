import { isAbsolute, relative, resolve } from "node:path";
import { safeText } from "../../text/safe-text.ts";
import type { CheckedCase } from "./junit.ts";

/** Text of a workflow command; `safeText` leaves no newline to print. */
const data = (text: string) =>
  safeText(text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A"));

const property = (text: string) => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

/** GitHub names files from the root of the checkout; another file has no place in it. */
const fileIn = (workspace: string, file: string): string | undefined => {
  const path = relative(workspace, resolve(file));
  return path.startsWith("..") || isAbsolute(path) ? undefined : path.replaceAll("\\", "/");
};

const placeOf = ({ at }: CheckedCase, workspace: string) => {
  const file = at && fileIn(workspace, at.file);
  return file === undefined ? "" : `file=${property(file)},line=${at?.line},`;
};

/** Lines that GitHub shows beside a run, one for each failed case (spec/reports.md#annotations). */
export const annotationLines = (
  suite: string,
  cases: readonly CheckedCase[],
  workspace: string,
): string[] =>
  cases
    .filter(({ outcome }) => outcome === "failed")
    .map((one) => {
      const title = property(`service-sim ${suite}: ${one.name}`);
      const text = [one.says ?? "", ...(one.lines ?? [])].filter(Boolean).join("\n");
      return `::error ${placeOf(one, workspace)}title=${title}::${data(text)}`;
    });
