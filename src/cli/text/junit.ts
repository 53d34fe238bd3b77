/** Outcome of one thing that a command has checked, as CI shows it. */
export interface CheckedCase {
  name: string;
  /** The whole around it: a scenario, a document, a group of items. */
  group: string;
  outcome: "passed" | "failed" | "skipped";
  /** A sentence about the failure. */
  says?: string;
  /** Further details, in lines. */
  lines?: readonly string[];
  /** Place of the failed expectation. */
  at?: { file: string; line: number };
}

/** Characters that XML 1.0 cannot hold, not even escaped. */
const NO_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\r": "&#13;",
};

const escaped = (text: string) =>
  text.replace(NO_XML, "\ufffd").replace(/[&<>"\r]/g, (one) => ENTITIES[one] ?? one);

/** A reader would turn the newlines and tabs of an attribute into spaces. */
const attribute = (text: string) =>
  escaped(text).replaceAll("\n", "&#10;").replaceAll("\t", "&#9;");

const place = ({ at }: CheckedCase) =>
  at === undefined ? "" : ` file="${attribute(at.file)}" line="${at.line}"`;

const outcomeOf = ({ outcome, says = "", lines = [] }: CheckedCase): string[] => {
  if (outcome === "skipped") return ["<skipped/>"];
  const text = escaped(lines.join("\n"));
  if (outcome === "failed") return [`<failure message="${attribute(says)}">${text}</failure>`];
  return text === "" ? [] : [`<system-out>${text}</system-out>`];
};

const caseOf = (one: CheckedCase): string[] => {
  const head = `<testcase classname="${attribute(one.group)}" name="${attribute(one.name)}"${place(one)}`;
  const within = outcomeOf(one);
  return within.length === 0 ? [`    ${head}/>`] : [`    ${head}>`, ...within, "    </testcase>"];
};

const count = (cases: readonly CheckedCase[], wanted: CheckedCase["outcome"]) =>
  cases.filter(({ outcome }) => outcome === wanted).length;

/** A report in the form that CI systems know from JUnit (spec/reports.md#junit). */
export const junitText = (suite: string, cases: readonly CheckedCase[]): string => {
  const counts = `tests="${cases.length}" failures="${count(cases, "failed")}"`;
  const name = `name="${attribute(suite)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${name} ${counts}>`,
    `  <testsuite ${name} ${counts} errors="0" skipped="${count(cases, "skipped")}">`,
    ...cases.flatMap(caseOf),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
};
