import type { Chunk } from "./append-list.ts";

/** A posting as the ledger has it. */
export interface BookedPosting {
  /** The change that made it; 0 for an opening, which stands for many. */
  seq: number;
  /** Its place in that change. */
  position: number;
  atMs: number;
  cause: string;
  account: string;
  currency: string;
  amountMinor: bigint;
}

/** A posting in a checkpoint. */
export type PostingImage = [
  id: string,
  atMs: number,
  cause: string,
  account: string,
  currency: string,
  minor: string,
];

const OPENING = "opening";

/** Names a posting, as lists and checkpoints have it. */
export const postingId = ({ seq, position }: BookedPosting) =>
  `${seq === 0 ? OPENING : seq}.${position}`;

export const postingImage = (posting: BookedPosting): PostingImage => [
  postingId(posting),
  posting.atMs,
  posting.cause,
  posting.account,
  posting.currency,
  `${posting.amountMinor}`,
];

export const postingOf = (image: PostingImage): BookedPosting => {
  const [id, atMs, cause, account, currency, minor] = image;
  const [head, position] = id.split(".");
  const seq = head === OPENING ? 0 : Number(head);
  const amountMinor = BigInt(minor);
  return { seq, position: Number(position), atMs, cause, account, currency, amountMinor };
};

/**
 * Postings by their columns: a world has five for each payment, and an object for each takes two
 * and a half times the memory.
 */
export class PostingColumns implements Chunk<BookedPosting> {
  private seqs: number[] = [];
  private positions: number[] = [];
  private instants: number[] = [];
  private causes: string[] = [];
  private accounts: string[] = [];
  private currencies: string[] = [];
  /** Small amounts are numbers, which take no memory of their own. */
  private amounts: (number | bigint)[] = [];

  get length() {
    return this.seqs.length;
  }

  push({ seq, position, atMs, cause, account, currency, amountMinor }: BookedPosting) {
    const number = Number(amountMinor);
    this.seqs.push(seq);
    this.positions.push(position);
    this.instants.push(atMs);
    this.causes.push(cause);
    this.accounts.push(account);
    this.currencies.push(currency);
    this.amounts.push(Number.isSafeInteger(number) ? number : amountMinor);
  }

  at(position: number): BookedPosting {
    return {
      seq: this.seqs[position] as number,
      position: this.positions[position] as number,
      atMs: this.instants[position] as number,
      cause: this.causes[position] as string,
      account: this.accounts[position] as string,
      currency: this.currencies[position] as string,
      amountMinor: BigInt(this.amounts[position] as number | bigint),
    };
  }

  slice(): PostingColumns {
    const twin = new PostingColumns();
    twin.seqs = this.seqs.slice();
    twin.positions = this.positions.slice();
    twin.instants = this.instants.slice();
    twin.causes = this.causes.slice();
    twin.accounts = this.accounts.slice();
    twin.currencies = this.currencies.slice();
    twin.amounts = this.amounts.slice();
    return twin;
  }
}
