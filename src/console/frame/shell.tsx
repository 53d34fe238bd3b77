import { Component, type ReactNode, useEffect, useLayoutEffect, useSyncExternalStore } from "react";
import { useLocation } from "wouter";
import { newsText } from "../../rows/news.ts";
import { safeLines } from "../../text/safe-text.ts";
import { drawScheme } from "../color-scheme.ts";
import { Act } from "../parts/act.tsx";
import { Mark } from "../parts/text.tsx";
import { AdvanceSheet, RewindSheet } from "../time/sheets.tsx";
import { TimeLine } from "../time/time-line.tsx";
import { useConsole, useSheet, useWatched } from "../use-console.ts";
import { ClockBar } from "./clock-bar.tsx";
import { ConfirmSheet, KeysSheet } from "./dialogs.tsx";
import { GoTo } from "./go-to.tsx";
import css from "./shell.module.css";
import { loadViews, ShownView } from "./shown-view.tsx";
import side from "./side.module.css";
import { Side, Tabs } from "./side.tsx";
import states from "./states.module.css";
import { LinkBanner, TokenWanted } from "./states.tsx";
import { usePageKeys } from "./use-page-keys.ts";

const UndoOpening = ({ by: kept }: { by: string }) => {
  const { control, store } = useConsole();
  const undo = async () => {
    await control.send("POST", `/snapshots/${encodeURIComponent(kept)}/restore`, {});
    store.forgetNews();
    return { text: `Restored ${kept}` };
  };
  return (
    <Act isSmall onAct={undo}>
      Undo
    </Act>
  );
};

/** Tells what somebody else did to the simulator or its world, until it is read. */
const NewsNotice = () => {
  const { store } = useConsole();
  const { world } = useWatched();
  const news = useSyncExternalStore(store.subscribe, store.news);
  if (!news) return null;
  return (
    <div className={states.lost} role="status">
      <span>
        <Mark name="over" /> {newsText(news, world)}
      </span>
      {news.undoing !== undefined && <UndoOpening by={news.undoing} />}
      <Act isSmall isLocal look="quiet" onAct={() => store.forgetNews()}>
        Close
      </Act>
    </div>
  );
};

interface Props {
  children: ReactNode;
}

/** Tells that a view failed, in place of an empty page; every other view still opens. */
class ViewBoundary extends Component<Props, { problem?: string }> {
  override state: { problem?: string } = {};

  static getDerivedStateFromError(error: unknown) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }

  override render() {
    const { problem } = this.state;
    if (problem === undefined) return this.props.children;
    return (
      <>
        <h1>This view failed</h1>
        <p className="say">
          This is a bug in the console; the simulator is not affected. Reload the page, or open
          another view.
        </p>
        <pre>{safeLines(problem)}</pre>
        <Act isLocal onAct={() => location.reload()}>
          Reload
        </Act>
      </>
    );
  }
}

/** Moves the focus to the head of a view that was come to, unless the view has taken it itself. */
const useFocusOnPlace = (path: string) => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each place moves the focus
  useEffect(() => {
    const heading = document.querySelector<HTMLElement>("main h1");
    const active = document.activeElement;
    if (active === document.body || active?.matches(`main, .${side.side} *`))
      heading?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [path]);
};

/** The sheet of the clock that is open, below the time line. */
const ClockSheet = () => {
  const sheet = useSheet();
  return (
    <div id="sheet" className={css.under}>
      {sheet?.kind === "advance" && <AdvanceSheet to={sheet.to} />}
      {sheet?.kind === "rewind" && <RewindSheet to={sheet.to} before={sheet.before} />}
    </div>
  );
};

/** The dialog that is open, over the page. */
const OpenDialog = () => {
  const { openSheet } = useConsole();
  const sheet = useSheet();
  const close = () => openSheet(undefined);
  if (sheet?.kind === "confirm") return <ConfirmSheet of={sheet} onClose={close} />;
  if (sheet?.kind === "keys") return <KeysSheet onClose={close} />;
  return sheet?.kind === "go-to" ? <GoTo onClose={close} /> : null;
};

const PageKeys = () => {
  usePageKeys();
  return null;
};

/** Clock, time line and navigation around the view of a place. */
export const Shell = ({ onToken }: { onToken(token: string): void }) => {
  const { store } = useConsole();
  const [path] = useLocation();
  const refusal = useSyncExternalStore(store.subscribe, store.refusal);
  useEffect(loadViews, []);
  useLayoutEffect(drawScheme, []);
  useFocusOnPlace(path);
  if (refusal === "CONTROL_TOKEN_NEEDED" || refusal === "UNAUTHORIZED")
    return <TokenWanted onToken={onToken} />;
  return (
    <>
      <button
        type="button"
        className={css.skip}
        onClick={() => document.querySelector<HTMLElement>("main h1, main")?.focus()}
      >
        Skip to the view
      </button>
      <ClockBar />
      <TimeLine isTall={path === "/"} />
      <ClockSheet />
      <LinkBanner refusal={refusal} />
      <NewsNotice />
      <div className={css.body}>
        <Side />
        <main id="main" tabIndex={-1}>
          <ViewBoundary key={path}>
            <ShownView />
          </ViewBoundary>
        </main>
      </div>
      <Tabs />
      <OpenDialog />
      <PageKeys />
    </>
  );
};
