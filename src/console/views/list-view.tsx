import { type FormEvent, type ReactNode, useCallback, useEffect, useMemo, useState } from "react";
import { MAX_ROWS } from "../../contract/control/feed-rows.ts";
import type { PendingTimer } from "../../contract/control/timers.ts";
import type { List } from "../../rows/list.ts";
import { listNamed } from "../../rows/lists.ts";
import type { ListName, Rows } from "../../rows/world.ts";
import { counted } from "../../text/layout.ts";
import { rememberList } from "../came-from.ts";
import { Title } from "../parts/pane.tsx";
import { filtered, RowList } from "../parts/row-list.tsx";
import { useQueryValue } from "../routes.ts";
import { useAction, useConsole, useIsLive, useWatched } from "../use-console.ts";

/** Sets where webhooks go. */
const Endpoint = () => {
  const { webhookEndpoint } = useWatched();
  const { control } = useConsole();
  const { run, isBusy } = useAction();
  const isLive = useIsLive();
  const [typed, setTyped] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      await control.send("POST", "/call", {
        operationId: "patchConfig",
        body: { webhookEndpoint: typed ?? "" },
      });
      setTyped(undefined);
      return { text: `Webhooks go to ${typed}` };
    });
  };
  return (
    <form className="inline" onSubmit={submit}>
      <label className="field inline">
        <span>endpoint</span>
        <input
          value={typed ?? webhookEndpoint ?? ""}
          placeholder="http://127.0.0.1:3000/hooks"
          onChange={({ target }) => setTyped(target.value)}
        />
      </label>
      <button
        type="submit"
        className="btn small"
        disabled={!isLive || isBusy || typed === undefined}
      >
        Set
      </button>
      <a className="btn small" href="#/webhooks/send">
        Send an example…
      </a>
      <a className="btn small" href="#/webhooks/doctor">
        Doctor…
      </a>
    </form>
  );
};

/** Actions beside a list. */
const ListActs = ({ name }: { name: ListName }) => (name === "deliveries" ? <Endpoint /> : null);

/** The rest of a list, read page by page. */
interface Older {
  path: string;
  /** The member of the reply that has the rows. */
  member: string;
  /** Makes a row of an item that is not one yet. */
  row?(item: never): object;
}

/** Pages of older rows, where the control surface has them; the store keeps the newest 1,000. */
const OLDER: Partial<Record<ListName, Older>> = {
  payments: { path: "/rows?list=payments", member: "data" },
  requests: { path: "/requests", member: "data" },
  deliveries: { path: "/webhooks", member: "data" },
  timers: {
    path: "/timers",
    member: "data",
    row: ({ timer, subject, ...rest }: PendingTimer) =>
      ({ ...rest, timer, subject, id: `${timer} ${subject}` }) satisfies Rows["timers"],
  },
  postings: { path: "/ledger", member: "postings" },
};

const PAGE_ROWS = 100;

interface Page {
  hasMore: boolean;
  nextCursor?: string;
  [member: string]: unknown;
}

const pathOf = ({ path }: Older, cursor: string | undefined) => {
  const after = cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`;
  return `${path}${path.includes("?") ? "&" : "?"}limit=${PAGE_ROWS}${after}`;
};

/** Rows older than those of the store, read page by page as somebody scrolls to them. */
const useOlder = <Name extends ListName>(name: Name, newest: readonly Rows[Name][]) => {
  const { control } = useConsole();
  const [older, setOlder] = useState<readonly Rows[Name][]>([]);
  const [cursor, setCursor] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [isDone, setDone] = useState(false);
  const source = OLDER[name];
  const more = useCallback(async () => {
    if (!source || isBusy || isDone || newest.length < MAX_ROWS) return;
    setBusy(true);
    try {
      const known = new Set(newest.map(({ id }) => id));
      let after = cursor;
      // The first pages may repeat the newest rows: they are read on until one is new.
      for (let pages = 0; pages <= MAX_ROWS / PAGE_ROWS; pages += 1) {
        const page = await control.get<Page>(pathOf(source, after));
        const { row = (item: never): object => item } = source;
        const pageRows = (page[source.member] as never[]).map(row) as unknown as Rows[Name][];
        setOlder((all) => [...all, ...pageRows]);
        after = page.nextCursor;
        setDone(!page.hasMore);
        if (!page.hasMore || pageRows.some(({ id }) => !known.has(id))) break;
      }
      setCursor(after);
    } finally {
      setBusy(false);
    }
  }, [control, source, cursor, isBusy, isDone, newest]);
  const rows = useMemo(() => {
    if (older.length === 0) return newest;
    const known = new Set(newest.map(({ id }) => id));
    return [...newest, ...older.filter(({ id }) => !known.has(id))];
  }, [newest, older]);
  return { rows, more };
};

/** A whole list with its filter, in the grammar of the screen. */
export const ListView = <Name extends ListName>({
  name,
  title,
  hrefOf,
  children,
}: {
  name: Name;
  title: string;
  hrefOf(row: Rows[Name]): string;
  /** Stands above the list. */
  children?: ReactNode;
}) => {
  const { lists } = useWatched();
  const [filter, setFilter] = useQueryValue("q");
  const list = listNamed(name) as unknown as List<Name>;
  const { rows, more } = useOlder(name, lists[name] as readonly Rows[Name][]);
  const shown = useMemo(() => filtered(list, rows, filter), [list, rows, filter]);
  useEffect(() => rememberList(() => shown.map(hrefOf)), [shown, hrefOf]);
  return (
    <>
      <Title beside={<ListActs name={name} />}>{title}</Title>
      {children}
      <div className="filter">
        <label className="search">
          <span className="vh">Search {title.toLowerCase()}</span>
          <input
            type="search"
            value={filter}
            placeholder="a word, status:failed, type:, code:5xx, is:open"
            onChange={({ target }) => setFilter(target.value)}
          />
          <kbd>/</kbd>
        </label>
        <span className="d">
          {filter === "" ? list.order : `${counted(shown.length, "row")} of ${rows.length}`}
        </span>
      </div>
      <RowList list={list} rows={shown} label={title} hrefOf={hrefOf} onEnd={more} />
    </>
  );
};
