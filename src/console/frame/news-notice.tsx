import { useSyncExternalStore } from "react";
import type { Snapshots } from "../../contract/control/snapshots.ts";
import { Mark } from "../parts/text.tsx";
import { useAction, useConsole, useIsLive, useRead, useWatched } from "../use-console.ts";

/** The snapshots that a reset or a rewind keeps by itself. */
const KEPT = /^before-(reset|rewind)/;

const UndoOpening = () => {
  const { control, store } = useConsole();
  const { run, isBusy } = useAction();
  const isLive = useIsLive();
  const { body } = useRead<Snapshots>("/snapshots");
  const kept = body?.data.findLast(({ name }) => KEPT.test(name));
  if (!kept) return null;
  const undo = () =>
    void run(async () => {
      await control.send("POST", `/snapshots/${encodeURIComponent(kept.name)}/restore`, {});
      store.forgetNews();
      return { text: `What ${kept.name} had kept is back` };
    });
  return (
    <button type="button" className="btn small" disabled={!isLive || isBusy} onClick={undo}>
      Undo
    </button>
  );
};

/** Tells what somebody else did to the simulator or its world, until it is read. */
export const NewsNotice = () => {
  const { store } = useConsole();
  const { world } = useWatched();
  const news = useSyncExternalStore(store.subscribe, store.news);
  if (!news) return null;
  const at = new Date(news.receivedMs).toTimeString().slice(0, 8);
  return (
    <div className="lost" role="status">
      <span>
        <Mark name="over" />{" "}
        {news.kind === "restarted"
          ? `The simulator was restarted at ${at} (wall).`
          : `World ${world} was reset or taken back by another client.`}
      </span>
      {news.kind === "opened" && <UndoOpening />}
      <button type="button" className="btn small bare" onClick={() => store.forgetNews()}>
        Close
      </button>
    </div>
  );
};
