import { shortId } from "../../text/layout.ts";
import { asAscii, MARKS, type MarkName } from "../../text/marks.ts";
import { NO_COLORS, type Seal, safeJson, safeText, sealWith } from "../../text/safe-text.ts";
import { columnsOf, NO_SCREEN, type Screen } from "../../text/screen.ts";
import { asCalled } from "./called-as.ts";
import { inWorld } from "./world-hint.ts";
import { fitted } from "./wrap.ts";

/** A failure as the terminal prints it. */
export interface Failure {
  code: string;
  message: string;
  next: readonly string[];
  details: Record<string, unknown> | undefined;
  exitCode: number;
}

const COLORS = ["green", "yellow", "magenta", "red", "cyan", "dim", "bold"] as const;

/** Colors a text, or leaves it plain. */
export type Palette = Record<(typeof COLORS)[number], (text: string) => string>;

const paletteOf = (colorer: (name: keyof Palette) => (text: string) => string) =>
  Object.fromEntries(COLORS.map((name) => [name, colorer(name)])) as Palette;

const PLAIN = paletteOf(() => (text) => text);

/** The style of printed lines; formatters take it and return lines. */
export interface Style {
  color: Palette;
  mark(name: MarkName): string;
  /** `Kind:…` and the last six characters on a terminal, the whole id elsewhere. */
  id(id: string): string;
  /** The room for lines, as the terminal is now. */
  screen: Screen;
}

/** No colors and short ids, for lines that another component draws. */
export const plainStyle = (): Style => ({
  color: PLAIN,
  mark: (name) => MARKS[name].glyph,
  id: shortId,
  screen: NO_SCREEN,
});

/** Whether a stream gets colors. */
export const wantsColor = (stream: NodeJS.WriteStream, option: string | undefined) => {
  if (option === "always") return true;
  if (option === "never" || process.env.NO_COLOR) return false;
  if (process.env.FORCE_COLOR !== undefined) return process.env.FORCE_COLOR !== "0";
  return stream.isTTY === true && process.env.TERM !== "dumb";
};

/** A palette that can tell its own colors from those in foreign text. */
interface Colors {
  palette: Palette;
  seal: Seal;
}

const PLAIN_COLORS: Colors = { palette: PLAIN, seal: NO_COLORS };

/** Loads chalk only when colors are used: commands start faster without it. */
const colorsFor = async (
  stream: NodeJS.WriteStream,
  option: string | undefined,
): Promise<Colors> => {
  if (!wantsColor(stream, option)) return PLAIN_COLORS;
  const { Chalk } = await import("chalk");
  const { randomInt } = process.getBuiltinModule("node:crypto");
  const chalk = new Chalk({ level: 1 });
  const seal = sealWith(String(randomInt(2 ** 47)));
  // chalk joins all its arguments, including the index that `map` passes.
  const palette = paletteOf((name) => (text) => seal.seal(chalk[name](seal.printed(text))));
  return { palette, seal };
};

const safeLines = (text: string) => text.split("\n").map(safeText).join("\n");

/** Whether the terminal can show only ASCII. */
export const wantsAscii = (isTerminal: boolean) =>
  isTerminal &&
  (/^(linux|dumb)$/.test(process.env.TERM ?? "") ||
    !/utf-?8/i.test(process.env.LC_ALL || process.env.LC_CTYPE || process.env.LANG || "utf-8"));

export interface TerminalOptions {
  json: boolean;
  quiet: boolean;
  color: string | undefined;
  /** The world that was typed, which hints name too. */
  world?: string | undefined;
}

/**
 * The streams of one command: answers on stdout, errors and notes on stderr. Escapes all printed
 * text with `safeText`: records, requests and errors hold text from others.
 */
export class Terminal {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly style: Style;
  readonly isTerminal = process.stdout.isTTY === true;
  /** The world that was typed. */
  readonly world: string | undefined;
  private readonly ascii: boolean;
  private readonly errorColor: Palette;
  private readonly answerSeal: Seal;
  private readonly errorSeal: Seal;

  private constructor(
    { json, quiet, world }: TerminalOptions,
    { answers, errors }: { answers: Colors; errors: Colors },
  ) {
    this.json = json;
    this.quiet = quiet;
    this.world = world;
    this.ascii = wantsAscii(this.isTerminal);
    this.errorColor = errors.palette;
    this.answerSeal = answers.seal;
    this.errorSeal = errors.seal;
    const { isTerminal } = this;
    const color = answers.palette;
    this.style = {
      color,
      mark: (name) => color[MARKS[name].color](MARKS[name].glyph),
      id: (id) => (isTerminal ? shortId(id) : id),
      screen: {
        get width() {
          return columnsOf(process.stdout);
        },
        isAscii: this.ascii,
      },
    };
  }

  static async open(options: TerminalOptions): Promise<Terminal> {
    const { color } = options;
    return new Terminal(options, {
      answers: await colorsFor(process.stdout, color),
      errors: await colorsFor(process.stderr, color),
    });
  }

  /** Prints lines for people; silent with `--json` or `--quiet`. */
  print(...lines: string[]) {
    // Text without a line would be printed as an empty one.
    if (lines.length > 0 && !this.json && !this.quiet)
      process.stdout.write(this.printed(lines.map((line) => this.pasted(line))));
  }

  /** Prints the one requested value, always on stdout. */
  answer(text: string) {
    process.stdout.write(`${safeLines(text)}\n`);
  }

  /**
   * Prints styled lines of a document, also with `--quiet`. The terminal breaks long ones, so that
   * what is copied stays whole.
   */
  show(lines: readonly string[]) {
    const text = `${lines.map(this.answerSeal.printed).join("\n")}\n`;
    process.stdout.write(this.ascii ? asAscii(text) : text);
  }

  /** Prints exact bytes without a trailing newline; a terminal gets escaped text. */
  exact(text: string | Uint8Array) {
    const isBytes = typeof text !== "string";
    process.stdout.write(
      this.isTerminal ? safeLines(isBytes ? Buffer.from(text).toString() : text) : text,
    );
  }

  /** Prints the reply as one JSON document, with `--json`. */
  document(body: unknown) {
    if (this.json) process.stdout.write(`${safeJson(body)}\n`);
  }

  note(text: string) {
    if (!this.quiet) this.tell(`${this.errorColor.dim("note")}   ${this.hint(text)}`);
  }

  /** Prints lines that a CI system obeys, whole and apart from the answer on stdout. */
  workflowCommands(lines: readonly string[]) {
    process.stderr.write(`${lines.join("\n")}\n`);
  }

  /** Prints the next step, only where a person reads it. */
  next(command: string) {
    if (process.stderr.isTTY && !this.quiet && !this.json)
      this.tell(`${this.errorColor.dim("next")}   ${this.hint(command)}`);
  }

  /** Prints one line of activity. */
  activity(line: string) {
    // Formatters have colored the line already, as they color answers.
    process.stderr.write(this.printed([line], { to: process.stderr }));
  }

  fail(error: Failure) {
    const { code, message, details, exitCode } = error;
    const next = error.next.map((step) => this.hint(step));
    if (this.json)
      this.document({ error: { code, message, next, ...(details && { details }), exitCode } });
    this.complain(error);
  }

  /** Prints a failure for people alone, when the answer on stdout tells of it already. */
  complain({ message, next: steps }: Pick<Failure, "message" | "next">) {
    const next = steps.map((step) => this.hint(step));
    const [first = "", ...others] = next;
    this.tell(
      `${this.errorColor.red("error")}  ${message}`,
      ...(next.length > 0 ? [`${this.errorColor.dim("next")}   ${first}`] : []),
      ...others.map((line) => `       ${line}`),
    );
  }

  /** Text of lines as they are printed: safe, as wide as the terminal, each with a newline. */
  printed(
    lines: readonly string[],
    { to = process.stdout, seal = this.answerSeal }: { to?: NodeJS.WriteStream; seal?: Seal } = {},
  ): string {
    const width = columnsOf(to);
    const shown = (line: string) => (this.ascii ? asAscii(line) : line);
    return `${lines.flatMap((line) => fitted(shown(seal.printed(line)), width)).join("\n")}\n`;
  }

  /** A line that can be pasted here, and means the same world. */
  private hint(text: string) {
    return asCalled(inWorld(text, this.world));
  }

  /** A printed line; one that is a command becomes a hint. */
  private pasted(line: string) {
    return /^\s*service-sim [a-z-]/.test(line) ? this.hint(line) : line;
  }

  private tell(...lines: string[]) {
    const { stderr: to } = process;
    to.write(this.printed(lines, { to, seal: this.errorSeal }));
  }
}
