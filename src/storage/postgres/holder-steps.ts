import type { Keeping, Writing } from "../engine/store-engine.ts";
import type { Statement } from "./statement.ts";

/** The holder of what a world itself needs. */
export const worldHolder = (name: string) => `world:${name}`;

type Kept = Pick<Writing, "keep" | "drop" | "items">;

/** An item of a holder as it is to be; undefined deletes it. */
interface ItemChange {
  holder: string;
  name: string;
  bytes: Buffer | undefined;
}

/** Each item once, since a step touches a row once: the last word counts. */
const itemsOf = ({ keep = [], items = [] }: Kept): ItemChange[] => {
  const kept = keep.flatMap(({ holder, items: own }) =>
    Object.entries(own).map(([name, bytes]) => ({ holder, name, bytes })),
  );
  const last = new Map<string, ItemChange>();
  for (const item of [...kept, ...items]) last.set(JSON.stringify([item.holder, item.name]), item);
  return [...last.values()];
};

const addParts = (statement: Statement, keep: readonly Keeping[], replaced: readonly string[]) => {
  const parts = keep.flatMap(({ holder, parts: own }) => own.map((sha) => ({ holder, sha })));
  const files = keep.flatMap(({ holder, files: own = [] }) => own.map((sha) => ({ holder, sha })));
  const rowsOf = (held: readonly { holder: string; sha: string }[]) =>
    statement.rows([
      [held.map(({ holder }) => holder), "text"],
      [held.map(({ sha }) => sha), "text"],
    ]);
  // A file that is gone is missed when it is read: the world continues.
  const ofFiles = () => `union select n.holder, n.sha from ${rowsOf(files)} n(holder, sha)
    join service_sim.part using (sha)`;
  statement.step(
    "needed",
    `select * from ${rowsOf(parts)} n(holder, sha) ${files.length > 0 ? ofFiles() : ""}`,
  );
  statement.step(
    "unheld",
    `delete from service_sim.holds h where h.holder = any(${statement.value(replaced, "text[]")})
     and exists (select from head)
     and not exists (select from needed n where n.holder = h.holder and n.sha = h.sha)`,
  );
  if (parts.length + files.length > 0)
    statement.step(
      "held",
      `insert into service_sim.holds (holder, sha) select holder, sha from needed
       where exists (select from head) on conflict do nothing`,
    );
};

const addPins = (statement: Statement, keep: readonly Keeping[], replaced: readonly string[]) => {
  const pins = keep.flatMap(({ holder, pins: own }) => own.map((pin) => ({ holder, ...pin })));
  statement.step(
    "unpinned",
    `delete from service_sim.pin where holder = any(${statement.value(replaced, "text[]")})
     and exists (select from head)`,
  );
  if (pins.length === 0) return;
  const rows = statement.rows([
    [pins.map(({ holder }) => holder), "text"],
    [pins.map(({ timeline }) => timeline), "bigint"],
    [pins.map(({ after }) => after), "bigint"],
    [pins.map(({ upTo }) => upTo ?? null), "bigint"],
  ]);
  statement.step(
    "pinned",
    `insert into service_sim.pin (holder, timeline, after, upto) select * from ${rows} n
     where exists (select from head)`,
  );
};

const addItems = (
  statement: Statement,
  changes: readonly ItemChange[],
  replaced: readonly string[],
) => {
  const isReplaced = new Set(replaced);
  const put = changes.filter(({ bytes }) => bytes !== undefined);
  const deleted = changes.filter(
    ({ bytes, holder }) => bytes === undefined && !isReplaced.has(holder),
  );
  const named = (items: readonly ItemChange[]) =>
    statement.rows([
      [items.map(({ holder }) => holder), "text"],
      [items.map(({ name }) => name), "text"],
    ]);
  statement.step(
    "unkept",
    `delete from service_sim.item i where exists (select from head) and (
       i.holder = any(${statement.value(replaced, "text[]")})
       and not exists (select from ${named(put)} n(holder, name)
                       where n.holder = i.holder and n.name = i.name)
       or exists (select from ${named(deleted)} n(holder, name)
                  where n.holder = i.holder and n.name = i.name))`,
  );
  if (put.length === 0) return;
  const rows = put.map(
    ({ holder, name, bytes }) =>
      `(${statement.value(holder, "text")}, ${statement.value(name, "text")}, ${statement.value(bytes, "bytea")})`,
  );
  statement.step(
    "kept",
    `insert into service_sim.item (holder, name, body)
     select * from (values ${rows.join(", ")}) n where exists (select from head)
     on conflict (holder, name) do update set body = excluded.body`,
  );
};

/** Adds the steps that change what holders keep, once the step `head` has a row. */
export const addKept = (statement: Statement, kept: Kept): void => {
  const { keep = [], drop = [], items = [] } = kept;
  const replaced = [...keep.map(({ holder }) => holder), ...drop];
  if (replaced.length > 0) {
    addParts(statement, keep, replaced);
    addPins(statement, keep, replaced);
  }
  if (replaced.length > 0 || items.length > 0) addItems(statement, itemsOf(kept), replaced);
};

/** Bytes that a statement carries, for its deadline. */
export const bytesOf = (kept: Kept): number =>
  itemsOf(kept).reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0);
