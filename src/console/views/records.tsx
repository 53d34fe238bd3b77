import { useEffect, useMemo, useRef, useState } from "react";
import { Virtualizer } from "virtua";
import type { RecordKind } from "../../contract/control/record-kinds.ts";
import type { RecordList, RecordRow } from "../../contract/control/records.ts";
import { markOfStatus } from "../../rows/list.ts";
import { money } from "../../text/layout.ts";
import { safeText } from "../../text/safe-text.ts";
import { rememberList } from "../came-from.ts";
import { Title } from "../parts/pane.tsx";
import { Status } from "../parts/text.tsx";
import { placeOf, useQueryValue } from "../routes.ts";
import { useConsole, useRead } from "../use-console.ts";

/** Kinds of each place. */
const KINDS: Readonly<
  Record<string, { title: string; kinds: readonly RecordKind[]; type?: string }>
> = {
  "/customers": { title: "Customers", kinds: ["Customer"] },
  "/accounts": { title: "Accounts", kinds: ["InternalAccount", "ExternalAccount"] },
  "/wallets": { title: "Wallets", kinds: ["InternalAccount"], type: "EMBEDDED_WALLET" },
  "/cards": { title: "Cards", kinds: ["Card", "CardTransaction"] },
  "/agents": { title: "Agents", kinds: ["Agent", "AgentAction"] },
};

const WORDS: Partial<Record<RecordKind, string>> = {
  InternalAccount: "internal",
  ExternalAccount: "external",
  Card: "cards",
  CardTransaction: "purchases",
  Agent: "agents",
  AgentAction: "actions",
};

const PAGE_ROWS = 100;

/** Records of a place, read page by page. */
export const RecordsView = ({ of }: { of: string }) => {
  const { title, kinds, type } = KINDS[of] ?? { title: of, kinds: ["Customer" as const] };
  const { control } = useConsole();
  const [kindName, setKindName] = useQueryValue("kind");
  const [q, setQ] = useQueryValue("q");
  const kind = kinds.find((name) => name === kindName) ?? kinds[0] ?? "Customer";
  const path = `/records?kind=${kind}&limit=${PAGE_ROWS}${type === undefined ? "" : `&type=${type}`}${q === "" ? "" : `&q=${encodeURIComponent(q)}`}`;
  const { body } = useRead<RecordList>(path);
  const [older, setOlder] = useState<{ path: string; rows: RecordRow[]; cursor?: string }>();
  const rows = useMemo(() => {
    const newest = body?.data ?? [];
    if (older?.path !== path) return newest;
    const known = new Set(newest.map(({ id }) => id));
    return [...newest, ...older.rows.filter(({ id }) => !known.has(id))];
  }, [body, older, path]);
  const more = async () => {
    const cursor = older?.path === path ? older.cursor : body?.nextCursor;
    if (cursor === undefined) return;
    const page = await control.get<RecordList>(`${path}&cursor=${encodeURIComponent(cursor)}`);
    const before = older?.path === path ? older.rows : [];
    setOlder({
      path,
      rows: [...before, ...page.data],
      ...(page.nextCursor !== undefined && { cursor: page.nextCursor }),
    });
  };
  useEffect(() => rememberList(() => rows.map(({ id }) => placeOf(id))), [rows]);
  const scroller = useRef<HTMLDivElement>(null);
  return (
    <>
      <Title
        beside={
          kinds.length > 1 && (
            <span className="seg">
              {kinds.map((name) => (
                <button
                  key={name}
                  type="button"
                  aria-pressed={name === kind}
                  onClick={() => setKindName(name)}
                >
                  {WORDS[name] ?? name} {body?.counts[name] ?? ""}
                </button>
              ))}
            </span>
          )
        }
      >
        {title}
      </Title>
      <div className="filter">
        <label className="search">
          <span className="vh">Search {title.toLowerCase()}</span>
          <input
            type="search"
            value={q}
            placeholder="part of a name or an id"
            onChange={({ target }) => setQ(target.value)}
          />
          <kbd>/</kbd>
        </label>
      </div>
      {body && rows.length === 0 && <p className="more">None is here yet</p>}
      <div
        className="scroller"
        ref={scroller}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          if (scrollHeight - scrollTop - clientHeight < 200) void more();
        }}
      >
        <Virtualizer data={rows} scrollRef={scroller} itemSize={29}>
          {(row) => (
            <a key={row.id} className="row record" href={`#${placeOf(row.id)}`}>
              <span className="m d">…{row.id.slice(-6)}</span>
              <span className="cut" title={safeText(row.name ?? "")}>
                {safeText(row.name ?? "")}
              </span>
              <span>
                {row.status !== undefined && (
                  <Status mark={markOfStatus(row.status)}>{row.status}</Status>
                )}
              </span>
              <span className="m r">
                {row.balance && money(row.balance.amount, row.balance.currency)}
              </span>
              <span className="m d r">{row.createdAt?.slice(0, 19).replace("T", " ")}</span>
            </a>
          )}
        </Virtualizer>
      </div>
    </>
  );
};
