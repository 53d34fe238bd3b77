import { runCommandLine } from "../../../src/cli/program.ts";

/** Output of a command line, and the exit code that its process would have. */
export interface Printed {
  code: number;
  stdout: string;
  stderr: string;
}

type Write = typeof process.stdout.write;

const taker =
  (parts: string[]): Write =>
  (part: string | Uint8Array) => {
    parts.push(typeof part === "string" ? part : Buffer.from(part).toString());
    return true;
  };

/** Runs a command line in this process; one at a time, since the streams are the process's own. */
export const runInProcess = async (args: readonly string[]): Promise<Printed> => {
  const parts = { stdout: [] as string[], stderr: [] as string[] };
  const { stdout, stderr } = process;
  const writes = { stdout: stdout.write, stderr: stderr.write };
  stdout.write = taker(parts.stdout);
  stderr.write = taker(parts.stderr);
  try {
    const code = await runCommandLine(args);
    return { code, stdout: parts.stdout.join(""), stderr: parts.stderr.join("") };
  } finally {
    stdout.write = writes.stdout;
    stderr.write = writes.stderr;
  }
};
