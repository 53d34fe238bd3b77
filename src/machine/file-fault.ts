/** Words for a system's refusal of a file. */
const FAULTS: Readonly<Record<string, string>> = {
  ENOTDIR: "no such folder",
  EEXIST: "an existing file",
  EISDIR: "a folder",
  EACCES: "no permission",
  EPERM: "no permission",
  EROFS: "a read-only file system",
  ENOSPC: "no space left",
};

const wordsFor = (error: unknown, missing: string) => {
  const code = String((error as NodeJS.ErrnoException).code);
  return code === "ENOENT" ? missing : (FAULTS[code] ?? code);
};

/** Words for the system's error about a file that was read; its code where there are none. */
export const fileFault = (error: unknown): string => wordsFor(error, "no such file");

/** Words for the system's error about a folder, or about a file to write into one. */
export const folderFault = (error: unknown): string => wordsFor(error, "no such folder");
