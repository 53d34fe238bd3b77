import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from "react";
import { NoAnswer } from "../client/send.ts";
import { nowOn } from "../rows/clock-face.ts";
import type { RowContext } from "../rows/column.ts";
import type { WatchedWorld } from "../rows/world.ts";
import { type Control, Refused } from "./control.ts";
import { type Answer, ask, type Reads } from "./reads.ts";
import { Seconds } from "./seconds.ts";
import type { Store } from "./store.ts";

/** A short message, and perhaps what takes the action back. */
export interface Toast {
  text: string;
  isFailure?: boolean;
  undo?: { label: string; run(): void };
}

/** A question over the view: nothing happens until it is answered. */
export type Sheet =
  | { kind: "advance"; to?: string }
  | { kind: "rewind"; to?: string; before?: string }
  | { kind: "confirm"; title: string; says: string; go: string; run(): Promise<void> }
  | { kind: "keys" }
  | { kind: "go-to" };

/** The surroundings of every view; they stay while a sheet opens or the pointer moves. */
export interface Console {
  control: Control;
  store: Store;
  reads: Reads;
  /** Name of the world in the address; the default world goes without. */
  worldName: string | undefined;
  openSheet(sheet: Sheet | undefined): void;
  toast(toast: Toast): void;
  /** Takes away what undoes the last act: another one begins. */
  endUndo(): void;
  switchWorld(name: string | undefined): void;
}

export const ConsoleContext = createContext<Console | undefined>(undefined);

/** The open sheet, apart: its moves draw those that ask for it alone. */
export const SheetContext = createContext<Sheet | undefined>(undefined);

export const useSheet = () => useContext(SheetContext);

/** The console around a view. */
export const useConsole = (): Console => {
  const context = useContext(ConsoleContext);
  if (!context) throw new Error("Expected a console around the view");
  return context;
};

/** The watched world, again after each batch of events. */
export const useWatched = (): WatchedWorld => {
  const { store } = useConsole();
  return useSyncExternalStore(store.subscribe, store.world, store.world);
};

/** True while the simulator answers: what needs it is disabled otherwise. */
export const useIsLive = () => useWatched().link.state === "live";

const seconds = new Seconds(() => document);
const nothing = () => () => {};

/** Draws again with each second, while it counts. */
export const useSeconds = (isCounting: boolean) =>
  useSyncExternalStore(isCounting ? seconds.subscribe : nothing, seconds.count);

/**
 * Simulated time, told once a second while the clock runs; a standing clock draws nothing.
 * @returns undefined until the simulator has told it, and while it is lost
 */
export const useNowMs = (): number | undefined => {
  const { clock, link } = useWatched();
  const isLive = link.state === "live";
  useSeconds(isLive && clock?.mode === "real");
  return clock && isLive ? nowOn(clock, Date.now()) : undefined;
};

/** The last instant that was told, also while the simulator is lost. */
export const useKnownMs = (): number | undefined => {
  const now = useNowMs();
  const { clock } = useWatched();
  return now ?? clock?.atMs;
};

/** Pixels of one cell of the rows that screen and console share. */
export const CELL_PX = 8;

/** The context in which rows are put into words. */
export const useRowContext = (widthPx = 1200): RowContext => {
  const nowMs = useNowMs();
  const knownMs = useKnownMs();
  return {
    width: Math.floor(widthPx / CELL_PX),
    nowMs,
    now: new Date(knownMs ?? 0).toISOString(),
    ellipsis: "…",
  };
};

/** The result of a read so far. */
export interface Read<Body> {
  readonly body: Body | undefined;
  readonly refused: Refused | undefined;
  /** The world changed since, or the simulator is lost. */
  readonly isStale: boolean;
  /** True while the answer is that of the path before. */
  readonly isOfBefore: boolean;
  /** Simulated time at which it was read, milliseconds. */
  readonly readAtMs: number | undefined;
  again(): void;
}

/**
 * Reads a path of the control surface, and again after the world has changed.
 * @param options.isPrevious shows the answer of the path before until that of a new path is there
 */
export const useRead = <Body>(
  path: string | undefined,
  { isPrevious = false }: { isPrevious?: boolean } = {},
): Read<Body> => {
  const { control, reads, store } = useConsole();
  const isLive = useIsLive();
  const result = useQuery(
    {
      queryKey: [path],
      queryFn: async ({ signal }): Promise<Answer<Body> & { atMs: number | undefined }> => {
        const answer = await ask<Body>(control, path ?? "", signal);
        const { clock } = store.world();
        return { ...answer, atMs: clock && nowOn(clock, Date.now()) };
      },
      enabled: path !== undefined && isLive,
      ...(isPrevious && { placeholderData: keepPreviousData }),
    },
    reads.client,
  );
  const { data, refetch } = result;
  return {
    body: data?.body,
    refused: data?.refused,
    readAtMs: data?.atMs,
    // Read only where somebody asks: the view is drawn again when it changes.
    get isStale() {
      return data !== undefined && (result.isStale || !isLive);
    },
    get isOfBefore() {
      return result.isPlaceholderData;
    },
    again: useCallback(() => void refetch(), [refetch]),
  };
};

/** A list that is read page by page. */
export interface Pages<Page> {
  /** The pages so far. */
  readonly pages: readonly Page[];
  readonly refused: Refused | undefined;
  readonly isStale: boolean;
  readonly hasMore: boolean;
  readonly isBusy: boolean;
  /** Reads the next page, if there is one. */
  more(): void;
  again(): void;
}

/**
 * Reads a list of the control surface by its cursors, page after page; up to ten pages are read
 * again after the world has changed, longer lists when `again` is called.
 * @param path with everything but the cursor, such as `/records?kind=Customer&limit=100`
 */
export const usePages = <Page extends { nextCursor?: string | undefined }>(
  path: string | undefined,
): Pages<Page> => {
  const { control, reads } = useConsole();
  const isLive = useIsLive();
  const result = useInfiniteQuery(
    {
      queryKey: [path, "pages"],
      queryFn: ({ pageParam, signal }) => {
        const cursor = pageParam === "" ? "" : `&cursor=${encodeURIComponent(pageParam)}`;
        return ask<Page>(control, `${path}${cursor}`, signal);
      },
      initialPageParam: "",
      getNextPageParam: ({ body }) => body?.nextCursor,
      enabled: path !== undefined && isLive,
    },
    reads.client,
  );
  const { data, fetchNextPage, hasNextPage, isFetching, refetch } = result;
  const [isWanted, setWanted] = useState(false);
  // The next page waits for a read that is on its way.
  useEffect(() => {
    if (!isWanted || isFetching) return;
    setWanted(false);
    if (hasNextPage) void fetchNextPage();
  }, [isWanted, isFetching, hasNextPage, fetchNextPage]);
  const answers = data?.pages;
  return {
    pages: useMemo(() => answers?.flatMap(({ body }) => body ?? []) ?? [], [answers]),
    refused: answers?.find(({ refused }) => refused)?.refused,
    get isStale() {
      return data !== undefined && (result.isStale || !isLive);
    },
    hasMore: hasNextPage,
    isBusy: isFetching,
    more: useCallback(() => setWanted(isLive), [isLive]),
    again: useCallback(() => void refetch(), [refetch]),
  };
};

/** Runs actions, one at a time, and says how they ended. */
export const useAction = () => {
  const { toast, endUndo } = useConsole();
  const [isBusy, setBusy] = useState(false);
  const run = useCallback(
    async (deed: () => Promise<Toast | undefined>) => {
      setBusy(true);
      endUndo();
      try {
        const said = await deed();
        if (said) toast(said);
        return true;
      } catch (error) {
        if (!(error instanceof Refused || error instanceof NoAnswer)) throw error;
        const next = error instanceof Refused ? error.next : [];
        toast({ text: [error.message, ...next].join("\n"), isFailure: true });
        return false;
      } finally {
        setBusy(false);
      }
    },
    [toast, endUndo],
  );
  return { isBusy, run };
};
