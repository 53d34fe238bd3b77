import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { Router } from "wouter";
import { Control } from "./control.ts";
import { Shell } from "./frame/shell.tsx";
import { Toasts, useToasts } from "./frame/toasts.tsx";
import { Reads } from "./reads.ts";
import { useHashPath, useHashQuery } from "./routes.ts";
import { Store } from "./store.ts";
import { ConsoleContext, type Sheet, SheetContext } from "./use-console.ts";

const TOKEN = "service-sim token";

/** The token of this tab: given once behind `#token=`, or typed into the page. */
const readToken = (): string | undefined => {
  const [, encoded] = /^#\/?token=(.+)$/.exec(location.hash) ?? [];
  if (encoded === undefined) return sessionStorage.getItem(TOKEN) ?? undefined;
  keepToken(decodeURIComponent(encoded));
  history.replaceState(history.state, "", "#/");
  return decodeURIComponent(encoded);
};

/** Keeps a token until the tab is closed. */
const keepToken = (token: string) => sessionStorage.setItem(TOKEN, token);

/** The world that the address names, behind `?world=`. */
const readWorld = (): string | undefined =>
  new URLSearchParams(location.search).get("world") ?? undefined;

/** Names a world in the address; the place in the page stays. */
const writeWorld = (name: string | undefined) => {
  const search = name === undefined ? "" : `?world=${encodeURIComponent(name)}`;
  history.pushState(history.state, "", `${location.pathname}${search}${location.hash}`);
};

/** Longest wait for the first answer before the page is drawn without it, real milliseconds. */
const FIRST_ANSWER_MS = 300;

/** True once there is something to draw: drawing twice takes longer than the first answer. */
const useIsReady = (store: Store) => {
  const hasAnswer = useSyncExternalStore(store.subscribe, store.hasAnswer);
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), FIRST_ANSWER_MS);
    return () => clearTimeout(timer);
  }, []);
  return hasAnswer || isLate;
};

/** The console of one world of the simulator that served the page. */
export const App = () => {
  const [worldName, setWorldName] = useState(readWorld);
  const [token, setToken] = useState(readToken);
  const [sheet, openSheet] = useState<Sheet>();
  const { toasts, drop, toast, endUndo } = useToasts();
  const control = useMemo(() => new Control({ token, world: worldName }), [token, worldName]);
  // It is opened before the first drawing: the snapshot event is on its way meanwhile.
  const { store, reads } = useMemo(() => {
    const opened = new Store(control, worldName);
    opened.open();
    return { store: opened, reads: new Reads(opened) };
  }, [control, worldName]);
  useEffect(() => {
    reads.open();
    return () => {
      reads.close();
      store.close();
    };
  }, [store, reads]);
  useEffect(() => {
    const onMove = () => setWorldName(readWorld());
    addEventListener("popstate", onMove);
    return () => removeEventListener("popstate", onMove);
  }, []);
  const switchWorld = useCallback((name: string | undefined) => {
    writeWorld(name);
    setWorldName(name);
    openSheet(undefined);
  }, []);
  const console = useMemo(
    () => ({ control, store, reads, worldName, openSheet, toast, endUndo, switchWorld }),
    [control, store, reads, worldName, toast, endUndo, switchWorld],
  );
  const isReady = useIsReady(store);
  // The same element each time: a sheet or a message does not draw the views again.
  const inside = useMemo(() => {
    const onToken = (newToken: string) => {
      keepToken(newToken);
      setToken(newToken);
    };
    return (
      <Router hook={useHashPath} searchHook={useHashQuery}>
        <Shell onToken={onToken} />
      </Router>
    );
  }, []);
  return (
    <ConsoleContext value={console}>
      <SheetContext value={sheet}>{isReady && inside}</SheetContext>
      <Toasts of={toasts} drop={drop} />
    </ConsoleContext>
  );
};
