import { readFileSync } from "node:fs";
import process from "node:process";
import { pathToFileURL } from "node:url";

// Reads command lines of campaigns as JSON from its argument, and prints what each does before it
// ends. One process reads all of them, since each campaign loads nearly the same sources.

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
  scripts: Record<string, string>;
};

/** The file that a script starts. */
const fileOf = (script: string) => {
  const [, file] = /^node (?:--\S+ )*--import tsx (\S+)$/.exec(scripts[script] ?? "") ?? [];
  if (file === undefined) throw new Error(`Expected ${script} to start a file`);
  return file;
};

/** The end of a campaign, as an error: nothing behind its `process.exit` runs. */
class Ended extends Error {
  readonly code: unknown;

  constructor(code: unknown) {
    super();
    this.code = code;
  }
}

const lines: [script: string, ...words: string[]][] = JSON.parse(process.argv[2] ?? "[]");
const runs: { code: unknown; stdout: string; stderr: string }[] = [];
const print = process.stdout.write.bind(process.stdout);
process.exit = (code) => {
  throw new Ended(code);
};
for (const [at, [script, ...words]] of lines.entries()) {
  const said = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    process[stream].write = (text: unknown) => {
      said[stream] += `${text}`;
      return true;
    };
  const file = fileOf(script);
  process.argv = [process.execPath, file, ...words];
  // A query has Node.js run the file once more.
  const code = await import(`${pathToFileURL(file)}?${at}`).then(
    () => "it continued",
    (error) => (error instanceof Ended ? error.code : Promise.reject(error)),
  );
  runs.push({ code, ...said });
}
print(JSON.stringify(runs));
