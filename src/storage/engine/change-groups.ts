import { type Change, encodeChange } from "../../runtime/change.ts";

/** Changes that are written whole or not at all, as lines of the journal. */
interface Group {
  first: number;
  last: number;
  lines: string;
  /** Those among them that the engine keeps an index of. */
  indexed: Change[];
}

/** Groups that are written at once. */
export interface TakenGroups extends Group {
  /** Whether nothing buffered is left. */
  isAll: boolean;
}

/** Changes of one world that wait to be flushed, by groups. */
export class ChangeGroups {
  private readonly isIndexed: (change: Change) => boolean;
  private whole: Group[] = [];
  /** The group whose last change has not come yet. */
  private open: Group | undefined;

  /** @param isIndexed tells the changes that are kept until they are taken */
  constructor(isIndexed: (change: Change) => boolean) {
    this.isIndexed = isIndexed;
  }

  /** Adds a change behind the others. @returns true when it ends its group */
  add(change: Change): boolean {
    const { seq, upTo = seq } = change;
    this.open ??= { first: seq, last: seq, lines: "", indexed: [] };
    this.open.last = seq;
    this.open.lines += encodeChange(change);
    if (this.isIndexed(change)) this.open.indexed.push(change);
    if (upTo > seq) return false;
    this.whole.push(this.open);
    this.open = undefined;
    return true;
  }

  get isReady() {
    return this.whole.length > 0;
  }

  /** Takes the first groups, at least one and otherwise as many as fit. */
  take(most: { characters: number; changes: number }): TakenGroups | undefined {
    const [head] = this.whole;
    if (!head) return undefined;
    let characters = 0;
    const fits = ({ lines, last }: Group) => {
      characters += lines.length;
      return characters <= most.characters && last - head.first < most.changes;
    };
    const end = this.whole.findIndex((group) => !fits(group));
    const taken = this.whole.splice(0, end < 0 ? this.whole.length : Math.max(1, end));
    return {
      first: head.first,
      last: taken.at(-1)?.last ?? head.last,
      lines: taken.map(({ lines }) => lines).join(""),
      indexed: taken.flatMap(({ indexed }) => indexed),
      isAll: this.whole.length === 0 && this.open === undefined,
    };
  }

  clear() {
    this.whole = [];
    this.open = undefined;
  }
}
