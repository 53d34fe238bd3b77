import { fileURLToPath } from "node:url";
import type { Child } from "./child.ts";
import type { Workplace } from "./workplace.ts";

const BARE_SERVER = fileURLToPath(new URL("bare-server.js", import.meta.url));

/** A bare `node:http` server in a process of its own. */
export interface BareProcess {
  child: Child;
  url: string;
}

/** Starts a server that answers everything with a status and a text. */
export const startBareServer = async (
  workplace: Workplace,
  { status, text }: { status: number; text: string },
): Promise<BareProcess> => {
  const child = workplace.start([BARE_SERVER, String(status), text], workplace.directory());
  const { url } = JSON.parse(await child.firstLine()) as { url: string };
  return { child, url };
};
