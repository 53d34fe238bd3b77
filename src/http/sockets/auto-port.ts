import { hash } from "node:crypto";

/**
 * Ports that `auto` takes, and how many of them it tries. Systems hand out higher ones to outgoing
 * connections, and most programs listen on lower ones (decisions/port-of-a-folder.md).
 */
export const AUTO_PORTS = { first: 20_000, last: 24_999, tries: 20 } as const;

const HEX_DIGITS = 8;

/** Ports for a folder, in the order in which they are tried; the same for the same path. */
export const autoPorts = (folder: string): number[] => {
  const { first, last, tries } = AUTO_PORTS;
  const drawn = Number.parseInt(hash("sha256", folder, "hex").slice(0, HEX_DIGITS), 16);
  const start = first + (drawn % (last - first + 2 - tries));
  return Array.from({ length: tries }, (_, at) => start + at);
};

/** Tries ports in order until one is not in use. Rejects with the system's error of the last. */
export const onFirstFree = async <Taken>(
  ports: readonly number[],
  take: (port: number) => Promise<Taken>,
): Promise<Taken> => {
  const [port = 0, ...others] = ports;
  try {
    return await take(port);
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
    if (!isTaken || others.length === 0) throw error;
    return onFirstFree(others, take);
  }
};
