import type { Revision } from "../contract/core/revision-names.ts";
import { errorText, jsonCall, type Send } from "./script-call.ts";

/** An event as lists show it. */
export interface FoundEvent {
  id: string;
  type: string;
  about?: string;
  state: string;
}

/** Events to look for. */
interface EventFilter {
  type?: string | undefined;
  about?: string | undefined;
  state?: string | undefined;
}

const PAGE = 100;

/** The control surface did not answer a question of a scenario; the message tells why. */
export class WorldNotReadable extends Error {
  override readonly name = "WorldNotReadable";
}

/** Reads from a world what expectations ask for: events since the scenario began, and balances. */
export class WorldFacts {
  private readonly send: Send;
  /** The newest event before the scenario; ids rise. */
  private before = "";

  constructor(send: Send) {
    this.send = send;
  }

  async begin() {
    const { data } = await this.read<{ data: FoundEvent[] }>("/webhooks?limit=1");
    this.before = data[0]?.id ?? "";
  }

  /** The revision that the world serves. */
  async revision(): Promise<Revision> {
    return (await this.read<{ settings: { revision: Revision } }>("/status")).settings.revision;
  }

  /**
   * Lists events since the beginning, newest first.
   * @param enough one more than this many are looked for
   */
  async events({ type, about, state }: EventFilter, enough: number): Promise<FoundEvent[]> {
    const events: FoundEvent[] = [];
    let cursor: string | undefined;
    do {
      const query = new URLSearchParams({
        limit: `${PAGE}`,
        ...(type !== undefined && { type }),
        ...(about !== undefined && { about }),
        ...(state !== undefined && { state }),
        ...(cursor !== undefined && { cursor }),
      });
      const page = await this.read<{ data: FoundEvent[]; nextCursor?: string }>(
        `/webhooks?${query}`,
      );
      const fresh = page.data.filter(({ id }) => id > this.before);
      events.push(...fresh);
      cursor = fresh.length === page.data.length ? page.nextCursor : undefined;
    } while (cursor !== undefined && events.length <= enough);
    return events;
  }

  /** The balance of an account in minor units; zero before its first posting. */
  async balance(account: string): Promise<number> {
    const { balances } = await this.read<{ balances: { account: string; amount: number }[] }>(
      "/ledger?limit=1",
    );
    return balances.find((balance) => balance.account === account)?.amount ?? 0;
  }

  private async read<Body>(path: string): Promise<Body> {
    const answer = await this.send(jsonCall("GET", `/_sim${path}`));
    if (answer === "lost") throw new WorldNotReadable(`GET /_sim${path} had no answer`);
    if (answer.status === 200) return answer.body;
    throw new WorldNotReadable(`GET /_sim${path} was answered ${errorText(answer)}`);
  }
}
