import { type ControlClient, NotReachable } from "../../client/control-client.ts";
import type { SeedProgress } from "../../contract/control/seed.ts";
import { inGroups } from "../../contract/core/digit-groups.ts";
import type { Terminal } from "../text/terminal.ts";

/** Real time between two looks at a seed that continues. */
const LOOK_EVERY_MS = 2_000;

const noted = async (client: ControlClient, terminal: Terminal) => {
  try {
    const { status, body } = await client.get<SeedProgress>("/seed");
    if (status !== 200 || body.total === 0) return;
    const [done, total] = [body.done, body.total].map((count) => inGroups(count));
    terminal.note(`${done} of ${total} records made`);
  } catch (error) {
    // A simulator that is gone is told by the seed itself.
    if (!(error instanceof NotReachable)) throw error;
  }
};

/** Runs a seed; one that takes long tells on stderr how far it is. */
export const withProgress = async <Report>(
  client: ControlClient,
  terminal: Terminal,
  seed: () => Promise<Report>,
): Promise<Report> => {
  const looks = setInterval(() => void noted(client, terminal), LOOK_EVERY_MS);
  try {
    return await seed();
  } finally {
    clearInterval(looks);
  }
};
