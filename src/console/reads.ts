import { type Query, QueryClient } from "@tanstack/react-query";
import { NoAnswer } from "../client/send.ts";
import { type Control, Refused } from "./control.ts";
import type { Store } from "./store.ts";

/** Shortest time between two rounds of reads, real milliseconds. */
const REREAD_MS = 700;

/** An answer nobody looks at is kept this long, real milliseconds. */
const KEPT_MS = 30_000;

/** A list of more pages than this is read again when somebody asks for it: each is a call. */
const MOST_PAGES = 10;

const isShort = ({ state }: Query) =>
  ((state.data as { pages?: readonly unknown[] } | undefined)?.pages?.length ?? 0) <= MOST_PAGES;

/** An answer, or the refusal instead: both are what the path now has to say. */
export interface Answer<Body> {
  body?: Body;
  refused?: Refused;
}

/**
 * Asks a path of the control surface.
 * @throws NoAnswer
 */
export const ask = async <Body>(
  control: Control,
  path: string,
  signal: AbortSignal,
): Promise<Answer<Body>> => {
  try {
    return { body: await control.get<Body>(path, { signal }) };
  } catch (error) {
    if (error instanceof Refused) return { refused: error };
    throw error;
  }
};

/** Reads of one world, each kept by its path: shown ones are made again after the world changed. */
export class Reads {
  readonly client = new QueryClient({
    defaultOptions: {
      queries: {
        gcTime: KEPT_MS,
        networkMode: "always",
        refetchOnMount: "always",
        refetchOnWindowFocus: false,
        retry: false,
        staleTime: Number.POSITIVE_INFINITY,
        throwOnError: (error) => !(error instanceof NoAnswer),
      },
    },
  });
  private readonly store: Pick<Store, "changeCount" | "subscribe">;
  private seen = 0;
  private isInRound = false;
  private leave: (() => void) | undefined;

  constructor(store: Pick<Store, "changeCount" | "subscribe">) {
    this.store = store;
  }

  /** Follows the world until `close`. */
  open() {
    this.seen = this.store.changeCount();
    this.leave = this.store.subscribe(() => void this.rounds());
  }

  close() {
    this.leave?.();
    this.client.clear();
  }

  /** One round after the other, while the world keeps changing. */
  private async rounds() {
    if (this.seen === this.store.changeCount()) return;
    void this.client.invalidateQueries({ refetchType: "none" });
    // A change during a round is seen at its end.
    if (this.isInRound) return;
    this.isInRound = true;
    while (this.seen !== this.store.changeCount()) {
      this.seen = this.store.changeCount();
      const pause = new Promise((done) => setTimeout(done, REREAD_MS));
      await this.client.refetchQueries({ type: "active", predicate: isShort });
      await pause;
    }
    this.isInRound = false;
  }
}
