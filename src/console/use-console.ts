import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { NoAnswer } from "../client/send.ts";
import { nowOn } from "../rows/clock-face.ts";
import type { RowContext } from "../rows/column.ts";
import type { WatchedWorld } from "../rows/world.ts";
import { type Control, Refused } from "./control.ts";
import type { Sheet, SheetStore } from "./sheet-store.ts";
import type { Store } from "./store.ts";

/** A short message, and perhaps what takes the action back. */
export interface Toast {
  text: string;
  isFailure?: boolean;
  undo?: { label: string; run(): void };
}

/** The surroundings of every view. */
export interface Console {
  control: Control;
  store: Store;
  /** Name of the world in the address; the starting one goes without. */
  worldName: string | undefined;
  sheets: SheetStore;
  openSheet(sheet: Sheet | undefined): void;
  toast(toast: Toast): void;
  switchWorld(name: string | undefined): void;
}

export const ConsoleContext = createContext<Console | undefined>(undefined);

/** The console around a view. */
export const useConsole = (): Console => {
  const context = useContext(ConsoleContext);
  if (!context) throw new Error("Expected a console around the view");
  return context;
};

/** The open sheet; only what shows it asks, since a drag changes it with each move. */
export const useSheet = (): Sheet | undefined => {
  const { sheets } = useConsole();
  return useSyncExternalStore(sheets.subscribe, sheets.current);
};

/** The watched world, again after each batch of events. */
export const useWatched = (): WatchedWorld => {
  const { store } = useConsole();
  return useSyncExternalStore(store.subscribe, store.world);
};

/** True while the simulator answers: what needs it is disabled otherwise. */
export const useIsLive = () => useWatched().link.state === "live";

const TICK_MS = 1000;

/**
 * Simulated time, told once a second while the clock runs; a standing clock draws nothing.
 * @returns undefined until the simulator has told it, and while it is lost
 */
export const useNowMs = (): number | undefined => {
  const { clock, link } = useWatched();
  const [, tick] = useState(0);
  const runs = clock?.mode === "real" && link.state === "live";
  useEffect(() => {
    if (!runs) return;
    const timer = setInterval(() => {
      if (!document.hidden) tick((count) => count + 1);
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [runs]);
  return clock && link.state === "live" ? nowOn(clock, Date.now()) : undefined;
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
  body: Body | undefined;
  refused: Refused | undefined;
  /** The world changed since, or the simulator is lost. */
  isStale: boolean;
  again(): void;
}

/** Shortest time between two reads of one detail, real milliseconds. */
const REREAD_MS = 700;

/** Reads a path of the control surface, and again after the world has changed. */
export const useRead = <Body>(path: string | undefined): Read<Body> => {
  const { control, store } = useConsole();
  const changes = useSyncExternalStore(store.subscribe, store.changeCount);
  const { link } = useWatched();
  const [read, setRead] = useState<{ path?: string; body?: Body; refused?: Refused; at: number }>({
    at: -1,
  });
  const [rereads, setRereads] = useState(0);
  const lastMs = useRef(0);
  const isLive = link.state === "live";
  // biome-ignore lint/correctness/useExhaustiveDependencies: `rereads` reads again
  useEffect(() => {
    if (path === undefined || !isLive) return;
    let isOver = false;
    const load = async () => {
      lastMs.current = performance.now();
      try {
        const body = await control.get<Body>(path);
        if (!isOver) setRead({ path, body, at: changes });
      } catch (error) {
        if (isOver || error instanceof NoAnswer) return;
        if (!(error instanceof Refused)) throw error;
        setRead({ path, refused: error, at: changes });
      }
    };
    const waitMs = Math.max(0, lastMs.current + REREAD_MS - performance.now());
    const timer = setTimeout(load, read.path === path ? waitMs : 0);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [control, path, changes, isLive, rereads]);
  const isOurs = read.path === path;
  return {
    body: isOurs ? read.body : undefined,
    refused: isOurs ? read.refused : undefined,
    isStale: isOurs && (read.at !== changes || !isLive),
    again: useCallback(() => setRereads((count) => count + 1), []),
  };
};

/** Runs actions, one at a time, and says how they ended. */
export const useAction = () => {
  const { toast } = useConsole();
  const [isBusy, setBusy] = useState(false);
  const run = useCallback(
    async (deed: () => Promise<Toast | undefined>) => {
      setBusy(true);
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
    [toast],
  );
  return { isBusy, run };
};
