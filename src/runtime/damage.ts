import { JournalDamage, OtherFormat } from "./change.ts";

/** Parts of a state that can be lost; each has its own repair. */
export type StatePart = "checkpoint" | "identity" | "fixture" | "line" | "journal" | "world";

/** A missing or damaged file of the state that cannot be replaced. */
export class StateDamage extends Error {
  override readonly name: string = "StateDamage";
  readonly part: StatePart;
  readonly file: string;
  readonly found: string;

  constructor(
    { part, expected }: { part: StatePart; expected: string },
    { file, found, why }: { file: string; found: string; why: string },
  ) {
    super(`Expected ${expected} in ${file} but found ${found}; ${why}, nothing changed`);
    this.part = part;
    this.file = file;
    this.found = found;
  }
}

/** A state whose files are whole and whose contents no world could continue from. */
export class WrongState extends StateDamage {
  override readonly name: string = "WrongState";

  constructor(directory: string, problem: string) {
    const why = "the state cannot be used";
    super({ part: "world", expected: "a state" }, { file: directory, found: problem, why });
    this.message = `${problem}: the state in ${directory} cannot be used, nothing changed`;
  }
}

/** Whether an error says that stored state cannot be read, at this attempt and at any other. */
export const isDamage = (error: unknown): error is Error =>
  error instanceof StateDamage || error instanceof JournalDamage || error instanceof OtherFormat;
