import { asCalled } from "./called-as.ts";
import { shortId } from "./layout.ts";
import { asAscii, MARKS, type MarkName } from "./marks.ts";

/** What went wrong, as a terminal tells of it. */
export interface Failure {
  code: string;
  message: string;
  next: readonly string[];
  details: Record<string, unknown> | undefined;
  exitCode: number;
}

const COLORS = ["green", "yellow", "magenta", "red", "cyan", "dim", "bold"] as const;

/** Puts a colour on text, or leaves it plain. */
export type Palette = Record<(typeof COLORS)[number], (text: string) => string>;

const paletteOf = (colorer: (name: keyof Palette) => (text: string) => string) =>
  Object.fromEntries(COLORS.map((name) => [name, colorer(name)])) as Palette;

const PLAIN = paletteOf(() => (text) => text);

/** How lines are to look; formatters take it and return lines. */
export interface Style {
  color: Palette;
  mark(name: MarkName): string;
  /** `Kind:…` and the last six characters on a terminal, the whole id elsewhere. */
  id(id: string): string;
}

/** No colours and short ids, for what is drawn by others. */
export const plainStyle = (): Style => ({
  color: PLAIN,
  mark: (name) => MARKS[name].glyph,
  id: shortId,
});

/** Whether colours are wanted on a stream (TERMINAL, principle 3). */
export const wantsColor = (stream: NodeJS.WriteStream, option: string | undefined) => {
  if (option === "always") return true;
  if (option === "never" || process.env.NO_COLOR) return false;
  if (process.env.FORCE_COLOR !== undefined) return process.env.FORCE_COLOR !== "0";
  return stream.isTTY === true && process.env.TERM !== "dumb";
};

/** chalk is loaded only where there is a colour to put on: commands start faster without it. */
const paletteFor = async (stream: NodeJS.WriteStream, option: string | undefined) => {
  if (!wantsColor(stream, option)) return PLAIN;
  const { Chalk } = await import("chalk");
  const chalk = new Chalk({ level: 1 });
  // chalk joins all it is given, also the position that `map` hands on.
  return paletteOf((name) => (text) => chalk[name](text));
};

/** Whether the terminal can show no more than ASCII (TERMINAL, principle 8). */
export const wantsAscii = (isTerminal: boolean) =>
  isTerminal &&
  (/^(linux|dumb)$/.test(process.env.TERM ?? "") ||
    !/utf-?8/i.test(process.env.LC_ALL || process.env.LC_CTYPE || process.env.LANG || "utf-8"));

export interface TerminalOptions {
  json: boolean;
  quiet: boolean;
  color: string | undefined;
}

/** The streams of one command: answers on stdout, errors and notes on stderr. */
export class Terminal {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly style: Style;
  readonly isTerminal = process.stdout.isTTY === true;
  private readonly ascii: boolean;
  private readonly errorColor: Palette;

  private constructor(
    { json, quiet }: TerminalOptions,
    palettes: { answers: Palette; errors: Palette },
  ) {
    this.json = json;
    this.quiet = quiet;
    this.ascii = wantsAscii(this.isTerminal);
    this.errorColor = palettes.errors;
    const { isTerminal } = this;
    const color = palettes.answers;
    this.style = {
      color,
      mark: (name) => color[MARKS[name].color](MARKS[name].glyph),
      id: (id) => (isTerminal ? shortId(id) : id),
    };
  }

  static async open(options: TerminalOptions): Promise<Terminal> {
    const { color } = options;
    return new Terminal(options, {
      answers: await paletteFor(process.stdout, color),
      errors: await paletteFor(process.stderr, color),
    });
  }

  /** Lines for people; nothing with `--json` or `--quiet`. */
  print(...lines: string[]) {
    if (!this.json && !this.quiet) this.write(process.stdout, lines);
  }

  /** The one thing asked for: always on stdout. */
  answer(text: string) {
    process.stdout.write(`${text}\n`);
  }

  /** The very text, for whoever compares bytes: no newline is added. */
  exact(text: string | Uint8Array) {
    process.stdout.write(text);
  }

  /** The reply as one JSON document, with `--json`. */
  document(body: unknown) {
    if (this.json) process.stdout.write(`${JSON.stringify(body)}\n`);
  }

  note(text: string) {
    if (!this.quiet)
      this.write(process.stderr, [`${this.errorColor.dim("note")}   ${asCalled(text)}`]);
  }

  /** What to do next; only where a person reads it. */
  next(command: string) {
    if (process.stderr.isTTY && !this.quiet && !this.json)
      this.write(process.stderr, [`${this.errorColor.dim("next")}   ${asCalled(command)}`]);
  }

  /** One line of activity, for people who watch. */
  activity(line: string) {
    this.write(process.stderr, [line]);
  }

  fail(error: Failure) {
    const { code, message, details, exitCode } = error;
    const next = error.next.map(asCalled);
    if (this.json)
      this.document({ error: { code, message, next, ...(details && { details }), exitCode } });
    const [first = "", ...others] = next;
    this.write(process.stderr, [
      `${this.errorColor.red("error")}  ${message}`,
      ...(next.length > 0 ? [`${this.errorColor.dim("next")}   ${first}`] : []),
      ...others.map((line) => `       ${line}`),
    ]);
  }

  private write(stream: NodeJS.WriteStream, lines: readonly string[]) {
    const text = `${lines.join("\n")}\n`;
    stream.write(this.ascii ? asAscii(text) : text);
  }
}
