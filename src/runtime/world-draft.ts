import type { Draft, EmittedEvent, Posting, View } from "../domain/core/draft.ts";
import { assertBalanced } from "../domain/money/ledger.ts";
import type { Kind, Records } from "../domain/records/records.ts";
import type { Change } from "./change.ts";
import { type IdList, withId, withoutId } from "./id-set.ts";
import { indexKeys } from "./table.ts";
import { balanceKey, type WorldState } from "./world-state.ts";

/** Contents of a draft, before it has a place in the journal. */
export type DraftChange = Pick<Change, "put" | "del" | "post" | "emit" | "row" | "set">;

/** The world below a draft. */
type Base = Omit<View, "ids"> & Pick<WorldState, "ids">;

/** Writes on top of an unchanged world (decisions/tables-with-drafts.md). */
export class WorldDraft implements Draft {
  private readonly base: Base;
  private writes = new Map<Kind, Map<string, Records[Kind] | undefined>>();
  private postings: Posting[] = [];
  private moved = new Map<string, bigint>();
  private events: EmittedEvent[] = [];
  private row: string | undefined;
  private rows: readonly string[] = [];
  private setRows: readonly string[] = [];

  constructor(base: Base) {
    this.base = base;
  }

  /** Events recorded so far. */
  get emitted(): readonly EmittedEvent[] {
    return this.events;
  }

  get<K extends Kind>(kind: K, id: string): Records[K] | undefined {
    const own = this.writes.get(kind);
    if (own?.has(id)) return own.get(id) as Records[K] | undefined;
    return this.base.get(kind, id);
  }

  /** The world's ids together with the draft's writes; unchanged chunks are shared. */
  ids(kind: Kind, index: string, key: string): IdList {
    const own = this.writes.get(kind);
    let ids = this.base.ids(kind, index, key);
    if (own)
      for (const [id, record] of own) {
        const isUnder = record && indexKeys(kind, index, record as never).includes(key);
        ids = isUnder ? withId(ids, id, own) : withoutId(ids, id, own);
      }
    return ids;
  }

  balanceMinor(account: string, currency: string): bigint {
    const moved = this.moved.get(balanceKey(account, currency)) ?? 0n;
    return this.base.balanceMinor(account, currency) + moved;
  }

  put<K extends Kind>(kind: K, record: Records[K]) {
    this.write(kind, record.id, record);
  }

  del(kind: Kind, id: string) {
    this.write(kind, id, undefined);
  }

  post(posting: Posting) {
    this.postings.push(posting);
    const key = balanceKey(posting.account, posting.currency);
    this.moved.set(key, (this.moved.get(key) ?? 0n) + posting.amountMinor);
  }

  emit(event: EmittedEvent) {
    this.events.push(event);
  }

  attempt<Result>(work: () => Result): Result {
    const { row, rows, setRows } = this;
    const writes = new Map([...this.writes].map(([kind, own]) => [kind, new Map(own)]));
    const [postings, events] = [[...this.postings], [...this.events]];
    const moved = new Map(this.moved);
    try {
      return work();
    } catch (error) {
      Object.assign(this, { row, rows, setRows, writes, postings, events, moved });
      throw error;
    }
  }

  decidedBy(row: string, ...further: readonly string[]) {
    this.row = row;
    this.rows = [...this.rows, row, ...further];
  }

  setByTester(row: string) {
    this.setRows = [...this.setRows, row];
  }

  get decisions() {
    return this.rows;
  }

  private write(kind: Kind, id: string, record: Records[Kind] | undefined) {
    let own = this.writes.get(kind);
    if (!own) {
      own = new Map();
      this.writes.set(kind, own);
    }
    own.set(id, record);
  }

  /**
   * Ends the draft and returns its change, or nothing when there is none
   * (spec/ledger.md#invariants).
   * @throws InvariantViolation when the ledger no longer balances
   */
  close(): DraftChange | undefined {
    assertBalanced(this.postings, (account, currency) => this.balanceMinor(account, currency));
    const put: NonNullable<Change["put"]> = [];
    const del: NonNullable<Change["del"]> = [];
    for (const [kind, own] of this.writes)
      for (const [id, record] of own) {
        if (record) put.push([kind, record] as (typeof put)[number]);
        else if (this.base.get(kind, id)) del.push([kind, id]);
      }
    if (put.length + del.length + this.postings.length + this.events.length === 0) return undefined;
    const recorded: DraftChange = {};
    if (put.length > 0) recorded.put = put;
    if (del.length > 0) recorded.del = del;
    if (this.postings.length > 0)
      recorded.post = this.postings.map((one) => [one.account, one.currency, `${one.amountMinor}`]);
    if (this.events.length > 0) recorded.emit = this.events;
    if (this.row !== undefined) recorded.row = this.row;
    if (this.setRows.length > 0) recorded.set = [...this.setRows];
    return recorded;
  }
}
