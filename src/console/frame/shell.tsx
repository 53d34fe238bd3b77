import { useEffect, useSyncExternalStore } from "react";
import { useLocation } from "wouter";
import { AdvanceSheet, RewindSheet } from "../time/sheets.tsx";
import { TimeLine } from "../time/time-line.tsx";
import { useConsole } from "../use-console.ts";
import { loadDetails, Views } from "../views/views.tsx";
import { ClockBar } from "./clock-bar.tsx";
import { ConfirmSheet, KeysSheet } from "./dialogs.tsx";
import { GoTo } from "./go-to.tsx";
import { NewsNotice } from "./news-notice.tsx";
import { Side, Tabs } from "./side.tsx";
import { LinkBanner, TokenWanted } from "./states.tsx";
import { usePageKeys } from "./use-page-keys.ts";
import { ViewBoundary } from "./view-boundary.tsx";

/** Moves the focus to the head of a view that was come to, as a page would. */
const useFocusOnPlace = (path: string) => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each place moves the focus
  useEffect(() => {
    const heading = document.querySelector<HTMLElement>("main h1");
    if (document.activeElement === document.body || document.activeElement?.closest(".side, main"))
      heading?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [path]);
};

/** Clock, time line and navigation around the view of a place. */
export const Shell = ({ onToken }: { onToken(token: string): void }) => {
  const { sheet, openSheet, store } = useConsole();
  const [path] = useLocation();
  const refusal = useSyncExternalStore(store.subscribe, store.refusal);
  usePageKeys();
  useEffect(loadDetails, []);
  useFocusOnPlace(path);
  if (refusal === "CONTROL_TOKEN_NEEDED" || refusal === "UNAUTHORIZED")
    return <TokenWanted onToken={onToken} />;
  return (
    <>
      <button
        type="button"
        className="skip"
        onClick={() => document.querySelector<HTMLElement>("main h1, main")?.focus()}
      >
        Skip to the view
      </button>
      <ClockBar />
      <TimeLine isTall={path === "/"} />
      <div className="under">
        {sheet?.kind === "advance" && <AdvanceSheet to={sheet.to} />}
        {sheet?.kind === "rewind" && <RewindSheet to={sheet.to} before={sheet.before} />}
      </div>
      <LinkBanner refusal={refusal} />
      <NewsNotice />
      <div className="body">
        <Side />
        <main id="main" tabIndex={-1}>
          <ViewBoundary key={path}>
            <Views />
          </ViewBoundary>
        </main>
      </div>
      <Tabs />
      {sheet?.kind === "confirm" && (
        <ConfirmSheet of={sheet} onClose={() => openSheet(undefined)} />
      )}
      {sheet?.kind === "keys" && <KeysSheet onClose={() => openSheet(undefined)} />}
      {sheet?.kind === "go-to" && <GoTo onClose={() => openSheet(undefined)} />}
    </>
  );
};
