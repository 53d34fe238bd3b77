import { randomBytes } from "node:crypto";
import { readdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { REVISIONS } from "../contract/core/revision-names.ts";
import { shownValue } from "../contract/core/shown-value.ts";
import { digestHex } from "../crypto/digest.ts";
import { userJson } from "../http/body/user-json.ts";
import { hostTime } from "../machine/host-time.ts";
import { makeFolders } from "../machine/make-folders.ts";
import { removeQuietly } from "../machine/remove-quietly.ts";
import { readUserText } from "../machine/user-text.ts";
import { workingFolder } from "../machine/working-folder.ts";
import { COUNTED, type CountImage, CoverageCounts } from "./coverage-counts.ts";
import { coverageItems } from "./coverage-items.ts";

/** Variable that names the folder in which processes keep their counts. */
export const COVERAGE_DIR = "SERVICE_SIM_COVERAGE_DIR";

/** The folder that the environment names, if it does. */
export const coverageDirectory = () => process.env[COVERAGE_DIR] || undefined;

/** Version of the files. */
const FILE_VERSION = 1;

/** Time between two writes of the counts, wall milliseconds. */
const WRITTEN_EVERY_MS = 5000;

/** Hash of all items: counts of a program with other ones cannot be added. */
export const contractHash = (): string => digestHex(JSON.stringify(REVISIONS.map(coverageItems)));

interface CountSource {
  merged(): CoverageCounts;
}

/** The file in which this process keeps the counts of its simulators (spec/coverage.md#files). */
export class CoverageFile {
  private readonly path: string;
  private readonly open = new Set<CountSource>();
  private readonly past = new CoverageCounts();
  private readonly contract = contractHash();
  private timer: NodeJS.Timeout | undefined;
  private written = "";
  private isRefused = false;

  constructor(directory: string) {
    this.path = join(directory, `${process.pid}-${randomBytes(4).toString("hex")}.json`);
    process.on("exit", () => this.write());
  }

  /** Keeps the counts of a simulator from now on. */
  take(counted: CountSource) {
    this.open.add(counted);
    if (this.isRefused) return;
    this.timer ??= hostTime.setInterval(() => this.write(), WRITTEN_EVERY_MS).unref();
  }

  /** Keeps the last counts of a simulator that closes. */
  leave(counted: CountSource) {
    if (!this.open.delete(counted)) return;
    this.past.add(counted.merged().image());
    this.write();
    if (this.open.size > 0) return;
    hostTime.clearInterval(this.timer);
    this.timer = undefined;
  }

  /**
   * Replaces the file when the counts changed. What a simulator does never depends on it: where it
   * cannot be written, nothing is said, and nothing tried again.
   */
  private write() {
    if (this.isRefused) return;
    const all = new CoverageCounts();
    all.add(this.past.image());
    for (const counted of this.open) all.add(counted.merged().image());
    const { contract } = this;
    const text = `${JSON.stringify({ coverage: FILE_VERSION, contract, counts: all.image() })}\n`;
    if (text === this.written) return;
    try {
      makeFolders(dirname(this.path), 0o777);
      writeFileSync(`${this.path}.new`, text);
      renameSync(`${this.path}.new`, this.path);
      this.written = text;
    } catch {
      this.isRefused = true;
      hostTime.clearInterval(this.timer);
      removeQuietly(`${this.path}.new`);
    }
  }
}

const filesByDirectory = new Map<string, CoverageFile>();

/** The file of this process in a folder; all its simulators share it. */
export const coverageFileIn = (directory: string): CoverageFile => {
  // Without a working folder the path stays as it is, and its file cannot be written.
  const folder = workingFolder() === undefined ? directory : resolve(directory);
  let file = filesByDirectory.get(folder);
  if (!file) {
    file = new CoverageFile(folder);
    filesByDirectory.set(folder, file);
  }
  return file;
};

/** A file that was left out, and the reason. */
export interface SkippedFile {
  file: string;
  why: string;
}

export interface MergedCoverage {
  counts: CoverageCounts;
  /** Number of files that were added. */
  files: number;
  skipped: readonly SkippedFile[];
}

const isCount = (times: unknown) => Number.isSafeInteger(times) && (times as number) >= 0;

/** Whether a value has the form of counts. */
const isImage = (value: unknown): value is CountImage => {
  if (typeof value !== "object" || value === null) return false;
  return COUNTED.every((group) => {
    const names = (value as Record<string, unknown>)[group] ?? {};
    return typeof names === "object" && names !== null && Object.values(names).every(isCount);
  });
};

const parsed = (text: string): Record<string, unknown> | undefined => {
  try {
    const value = userJson(text);
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
};

const imageIn = (text: string): CountImage | { why: string } => {
  const { coverage, contract, counts } = parsed(text) ?? {};
  if (coverage === undefined) return { why: "it is not a coverage file, or it is cut short" };
  if (coverage !== FILE_VERSION)
    return { why: `its format is ${shownValue(coverage)}, not ${FILE_VERSION}` };
  if (contract !== contractHash()) return { why: "it was written by a version with other items" };
  return isImage(counts) ? counts : { why: "its counts are damaged" };
};

const readText = (file: string) => {
  try {
    return readUserText(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { why: `cannot read it: ${code ?? (error as Error).message}` };
  }
};

/** Adds the counts of files; those that cannot be added are named and skipped. */
export const mergedCoverage = (files: readonly string[]): MergedCoverage => {
  const counts = new CoverageCounts();
  const skipped: SkippedFile[] = [];
  for (const file of files) {
    const text = readText(file);
    const image = typeof text === "string" ? imageIn(text) : text;
    if (typeof image.why === "string") skipped.push({ file, why: image.why });
    else counts.add(image as CountImage);
  }
  return { counts, files: files.length - skipped.length, skipped };
};

/** The coverage files of a folder, by name. */
export const coverageFilesOf = (directory: string): string[] =>
  readdirSync(directory)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => join(directory, name));
