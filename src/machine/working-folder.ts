/** The folder in which this process runs; undefined once somebody has removed it. */
export const workingFolder = (): string | undefined => {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
};

/** Tells if an error is that of a path that needs the working folder, which is gone. */
export const isFolderGone = (error: unknown) =>
  (error as NodeJS.ErrnoException | undefined)?.syscall === "uv_cwd";
