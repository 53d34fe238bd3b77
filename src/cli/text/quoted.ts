/** A word as a shell takes it: in quotes where it has to be. */
export const quoted = (word: string) =>
  /^[\w./:@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
