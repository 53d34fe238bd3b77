import { relative } from "node:path";
import type { NamedTest } from "./test-worlds.ts";

/** A test of vitest, or a group, as far as its world depends on it. */
export interface Task {
  name: string;
  suite?: Task | undefined;
  file: { filepath: string; name: string; projectName?: string | undefined };
  fails?: boolean | undefined;
  retry?: number | { count?: number; condition?: unknown } | undefined;
  result?: { state: string; retryCount?: number; repeatCount?: number } | undefined;
}

const titlesOf = ({ name, suite }: Task): string[] => [
  ...(suite === undefined ? [] : titlesOf(suite)),
  name,
];

/** The test by which the world of a task is named. */
export const namedTest = (task: Task): NamedTest => ({
  file: relative(process.cwd(), task.file.filepath),
  titles: titlesOf(task),
  retry: task.result?.retryCount ?? 0,
  repeat: task.result?.repeatCount,
  project: task.file.projectName,
});

/** Title of a test with those of its groups; the outermost one is its file. */
export const titleOf = (task: Task): string => titlesOf(task).join(" > ");

/** Whether another try of a failed test follows: that one decides. */
export const isTriedAgain = ({ retry = 0, result }: Task): boolean => {
  const { count = 0, condition = undefined } = typeof retry === "number" ? { count: retry } : retry;
  return condition === undefined && (result?.retryCount ?? 0) < count;
};
