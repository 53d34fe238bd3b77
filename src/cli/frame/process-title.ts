import { withoutPasswords } from "../../contract/core/endpoint-address.ts";
import { shownStorage } from "../../storage/world/storage-url.ts";

const SECRET_OPTION = "--client-secret";

/** A word that is the address of a database, or an option with one. */
const DATABASE = /^(--[a-z-]+=)?(postgres.*)$/is;

const shownWord = (word: string) => {
  const [, option = "", address] = DATABASE.exec(word) ?? [];
  return address === undefined ? withoutPasswords(word) : option + shownStorage(address);
};

/** Words of a command line, whose secrets are left out. */
export const withoutSecrets = (words: readonly string[]): string[] =>
  words.map((word, at) => {
    if (words[at - 1] === SECRET_OPTION) return "…";
    return word.startsWith(`${SECRET_OPTION}=`) ? `${SECRET_OPTION}=…` : shownWord(word);
  });

/** A command line whose secrets are left out; nothing when it has none. */
export const titleWithoutSecrets = (words: readonly string[]): string | undefined => {
  const shown = withoutSecrets(words);
  return shown.every((word, at) => word === words[at]) ? undefined : shown.join(" ");
};

/**
 * Takes a secret that was given as an option out of the list of processes. Other users of the machine see it there
 * until this has run: the environment variable of the option is never shown.
 */
export const hideSecretsOfTitle = () => {
  const title = titleWithoutSecrets([process.argv0, ...process.argv.slice(1)]);
  if (title !== undefined) process.title = title;
};
