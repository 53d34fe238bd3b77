import { readdirSync, readFileSync } from "node:fs";

/**
 * `unit`: no build, socket, process or folder; `http`: a simulator or its folders in this process;
 * `system`: processes, browsers and test runners. `documents` (of `npm run check`) reads texts.
 * `apart` is a step of CI: files of over three seconds that are not the first to fail, and planted
 * bugs for the campaigns. A file of `unit` or `http` that takes over a second is `slow` by its name:
 * only `npm test` runs it.
 */
export const PROJECTS = ["unit", "http", "system", "documents", "apart"] as const;

export type Project = (typeof PROJECTS)[number];

/** Projects of folders below `test`, with all below them; what stands elsewhere is `unit`. */
const FOLDERS: Record<string, Project> = {
  api: "http",
  control: "http",
  crash: "http",
  docs: "documents",
  entry: "http",
  fuzz: "http",
  http: "http",
  library: "http",
  load: "http",
  storage: "http",
  simulation: "http",
  webhooks: "http",
  browser: "system",
  cli: "system",
};

const NAMED = /\.(unit|http|system|documents|apart)(?:\.slow)?\.test\.tsx?$/;

/**
 * The project of a test file: the one of its folder, unless its name says another, for example
 * `certificates.system.test.ts`.
 */
export const projectOf = (file: string): Project => {
  const [, named] = NAMED.exec(file) ?? [];
  const [, folder = "", room = ""] = file.split("/");
  return (
    (named as Project | undefined) ?? FOLDERS[folder] ?? FOLDERS[`${folder}/${room}`] ?? "unit"
  );
};

/** All test files of the repository. */
export const testFiles = (): string[] =>
  readdirSync("test", { recursive: true, encoding: "utf8" })
    .filter((name) => /\.test\.tsx?$/.test(name) && !name.includes("node_modules"))
    .map((name) => `test/${name.replaceAll("\\", "/")}`)
    .sort();

export const filesOf = (project: Project): string[] =>
  testFiles().filter((file) => projectOf(file) === project);

const LOADS_CAMPAIGN = /from "[^"]*\/(campaign|adversary-runs|share)\.ts"/;

/** Files that do more in a campaign than in the usual run; see `campaign.ts`. */
export const campaignFilesOf = (project: Project): string[] =>
  filesOf(project).filter((file) => LOADS_CAMPAIGN.test(readFileSync(file, "utf8")));
