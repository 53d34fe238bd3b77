import { closestTo } from "../../contract/core/closest.ts";

/** Words of one meaning: each group of commands has one of them. */
const SAME_MEANING: readonly (readonly string[])[] = [
  ["clear", "lift", "remove", "cancel", "delete", "unset", "rm"],
  ["load", "restore"],
  ["save", "create", "add", "new", "make"],
];

/** The command of a group that does what a word of another group says: `clear` is `lift` elsewhere. */
export const sameCommand = (word: string, names: readonly string[]): string | undefined =>
  SAME_MEANING.find((words) => words.includes(word))?.find((one) => names.includes(one));

/** The command that was probably meant by a word that names none. */
export const meantCommand = (word: string, names: readonly string[]): string | undefined =>
  sameCommand(word, names) ?? closestTo(word, names);
