import { sealedLine, sealedTexts } from "../../setup/sealed-lines.ts";
import type { HandedOver, Outcome } from "./counter.ts";
import {
  BYTE_CHANGES,
  type Chance,
  chanceOf,
  type HugeChanges,
  JSON_CHANGES,
  SAME_TEXTS,
} from "./mutations.ts";

/** A file that was not answered as it should have been. */
export interface Finding {
  file: string;
  change: string;
  seed: number;
  found: string;
}

/** Words of the machine, which no answer may have. */
const RAW =
  /\n\s+at .+:\d+:\d+\)?|node:internal|\b(Type|Reference|Range|Syntax|Zod|Invariant\w*)Error\b|Cannot read prop|is not a function|is not iterable|\[object Object\]|Unexpected token|Maximum call stack/;

/** Longest answer: a sentence and its next steps, not the file. */
const LONGEST_ANSWER = 4_000;

/** Longest answer to a file that is not huge, on a busy machine. */
const LONGEST_MS = 20_000;

const problemOf = (
  { codes }: HandedOver,
  { code, says }: Outcome,
  good: Outcome,
): string | undefined => {
  if (!codes.includes(code)) return `code ${code}: ${says.slice(0, 300)}`;
  const raw = RAW.exec(says);
  if (raw)
    return `words of the machine: ${says.slice(Math.max(0, raw.index - 200), raw.index + 200)}`;
  const isTaken = code === good.code;
  if (!isTaken && says.trim() === "") return `code ${code} without a word`;
  if (!isTaken && says.length > LONGEST_ANSWER) return `an answer of ${says.length} characters`;
  return undefined;
};

/** Changes the JSON of one line, and seals it again. */
const inLine = (
  text: string,
  sealed: "snapshot" | "capsule",
  { change, chance }: { change: (json: string, chance: Chance) => string; chance: Chance },
) => {
  const lines = text.trimEnd().split("\n");
  const bodies = lines.map((line) => line.slice(line.indexOf("{")));
  const at = chance.below(bodies.length - 1);
  bodies[at] = change(bodies[at] as string, chance);
  if (sealed === "snapshot") return sealedTexts(bodies.slice(0, -1));
  return bodies.map((body) => sealedLine(body)).join("");
};

type Make = (bytes: Buffer, chance: Chance) => Buffer;

const jsonChange =
  ({ form }: HandedOver, change: (json: string, chance: Chance) => string): Make =>
  (bytes, chance) => {
    const text = bytes.toString();
    return Buffer.from(
      form === "json" ? change(text, chance) : inLine(text, form as never, { change, chance }),
    );
  };

/** The changes that a file can have, by name. */
export const changesOf = (file: HandedOver): [name: string, make: Make][] => [
  ...Object.entries(BYTE_CHANGES),
  ...(file.form === undefined
    ? []
    : Object.entries(JSON_CHANGES).map(([name, change]): [string, Make] => [
        name,
        jsonChange(file, change),
      ])),
];

const told = (error: unknown) =>
  `it threw ${String((error as Error)?.stack ?? error).slice(0, 600)}`;

const taken = async (file: HandedOver, bytes: Buffer): Promise<Outcome | string> => {
  try {
    return await file.take(bytes);
  } catch (error) {
    return told(error);
  }
};

/** The answer to the file as it is. */
export const goodOf = async (file: HandedOver): Promise<Outcome> => {
  const good = await taken(file, file.good);
  if (typeof good === "string") throw new Error(`${file.name}: ${good}`);
  if (good.code !== file.codes[0]) throw new Error(`${file.name}: ${good.code} ${good.says}`);
  return good;
};

/** Hands over changed files; what is wrong with the answers. */
export const playFile = async (
  file: HandedOver,
  { from, runs }: { from: number; runs: number },
): Promise<Finding[]> => {
  const findings: Finding[] = [];
  const good = await goodOf(file);
  const changes = changesOf(file);
  const look = async (change: string, seed: number, bytes: Buffer) => {
    const { outcome, ms } = await timed(file, bytes);
    const wrong = typeof outcome === "string" ? outcome : problemOf(file, outcome, good);
    const found = wrong ?? (ms > LONGEST_MS ? `an answer after ${Math.round(ms)} ms` : undefined);
    if (found !== undefined) findings.push({ file: file.name, change, seed, found });
    return outcome;
  };
  if (file.isText)
    for (const [change, make] of Object.entries(SAME_TEXTS)) {
      const outcome = await look(change, 0, make(file.good));
      if (typeof outcome !== "string" && outcome.code !== good.code)
        findings.push({
          file: file.name,
          change,
          seed: 0,
          found: `not read: ${outcome.says.slice(0, 200)}`,
        });
    }
  for (let seed = from; seed < from + runs; seed += 1) {
    const [change, make] = changes[seed % changes.length] as [string, Make];
    await look(change, seed, make(file.good, chanceOf(seed)));
  }
  return findings;
};

/** Time that a huge file took of a processor, and that a good one of this size would take. */
export interface Figure {
  file: string;
  change: string;
  /** Milliseconds of a processor: other work does not lengthen them. */
  ms: number;
  /** Those for each that a good file of this size takes. */
  ratio: number;
}

const timed = async (file: HandedOver, bytes: Buffer) => {
  const startedMs = performance.now();
  const before = process.cpuUsage();
  const outcome = await taken(file, bytes);
  const { user, system } = process.cpuUsage(before);
  return { outcome, ms: performance.now() - startedMs, processorMs: (user + system) / 1000 };
};

/** Hands over huge files of about a number of bytes, with changes of `HUGE_CHANGES`. */
export const playHuge = async (
  file: HandedOver,
  { bytes, seed, changes }: { bytes: number; seed: number; changes: HugeChanges },
): Promise<{ findings: Finding[]; figures: Figure[] }> => {
  const findings: Finding[] = [];
  const figures: Figure[] = [];
  const good = await goodOf(file);
  // White space is the cheapest content of a good file: what else is slower is told in its ratio.
  const space = Buffer.concat([file.good, Buffer.from(" ".repeat(bytes))]);
  const whole = await timed(file, file.form === "json" ? space : file.good);
  for (const [change, make] of changes) {
    if (file.form === undefined) continue;
    const huge = jsonChange(file, make(bytes))(file.good, chanceOf(seed));
    const { outcome, processorMs: ms } = await timed(file, huge);
    const found = typeof outcome === "string" ? outcome : problemOf(file, outcome, good);
    if (found !== undefined) findings.push({ file: file.name, change, seed, found });
    figures.push({ file: file.name, change, ms, ratio: ms / whole.processorMs });
  }
  return { findings, figures };
};
