import { createHash } from "node:crypto";
import type { Draft, Moment } from "../../../src/domain/core/draft.ts";
import { nextBranch } from "../../../src/runtime/branch.ts";
import type { RestorePoints } from "../../../src/runtime/past/restore-points.ts";
import type { OpenWorld } from "../../../src/storage/open-world.ts";
import { turns } from "../../runtime/setup/random-world.ts";
import { textOf } from "../bits/small-state.ts";

/** Acts that were answered, and those that were refused. */
export interface Answers {
  /** Customers that are there. */
  kept: Set<string>;
  /** Customers whose commit was refused. */
  refused: Set<string>;
  /** Snapshots with the text of each state. */
  snapshots: Map<string, string>;
  /** Texts of states whose saving was refused. */
  unsaved: Set<string>;
  worlds: Set<string>;
  /** Worlds whose fork was refused. */
  unforked: Set<string>;
  /** SHA-256 of files. */
  files: Set<string>;
}

export const noAnswers = (): Answers => ({
  kept: new Set(),
  refused: new Set(),
  snapshots: new Map(),
  unsaved: new Set(),
  worlds: new Set(),
  unforked: new Set(),
  files: new Set(),
});

/** Writes a customer that no other step touches. */
const putCustomer = (draft: Draft, id: string, moment: Moment) =>
  draft.put("Customer", {
    id,
    customerType: "INDIVIDUAL",
    platformCustomerId: id.slice("Customer:".length),
    currencies: ["USD"],
    umaAddress: `$${id.slice("Customer:".length)}@pay.test`,
    isDeleted: false,
    createdAtMs: moment.atMs,
    updatedAtMs: moment.atMs,
  });

type Act = (world: OpenWorld, answers: Answers, at: number) => Promise<void>;

const commit: Act = async ({ engine }, answers, at) => {
  const id = `Customer:${at}`;
  answers.refused.add(id);
  const { seq } = engine.commit(putCustomer, id, { cause: "test", by: "test" });
  await engine.journal.reached(seq);
  answers.refused.delete(id);
  answers.kept.add(id);
};

const save: Act = async ({ engine, points }, answers, at) => {
  const name = `s${at % 2}`;
  const text = textOf(engine.state);
  answers.unsaved.add(text);
  await points.save(name);
  answers.unsaved.delete(text);
  answers.snapshots.set(name, text);
};

const turn: Act = async ({ engine, points }) => {
  const state = engine.state.fork();
  state.branch = nextBranch(state.branch);
  state.clock = engine.clock.stateFromNow();
  await (points as RestorePoints).switchTo(state);
};

const fork: Act = async (world, answers, at) => {
  const name = `w${at}`;
  answers.unforked.add(name);
  const made = await world.fork({ name, clientId: name });
  answers.unforked.delete(name);
  answers.worlds.add(name);
  await made.close();
};

interface Upload {
  at: number;
  bytes: Buffer;
  sha256: string;
}

/** A document, and the person it is of. */
const putDocument = (draft: Draft, { at, bytes, sha256 }: Upload, { atMs }: Moment) => {
  const stamps = { createdAtMs: atMs, updatedAtMs: atMs };
  const holder = `Customer:holder-${at}`;
  draft.put("Customer", {
    id: holder,
    customerType: "INDIVIDUAL",
    platformCustomerId: `holder-${at}`,
    currencies: ["USD"],
    umaAddress: `$holder${at}@pay.test`,
    isDeleted: false,
    ...stamps,
  });
  draft.put("Document", {
    id: `Document:${at}`,
    documentHolder: holder,
    documentType: "PASSPORT",
    country: "DE",
    fileName: "passport.pdf",
    file: { sha256, mediaType: "application/pdf", sizeBytes: bytes.length },
    ...stamps,
  });
};

const upload: Act = async ({ files, engine }, answers, at) => {
  const bytes = Buffer.from(`%PDF-${at}`);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const { seq } = await files.keepFor(bytes, () =>
    engine.commit(
      (draft: Draft, _input: undefined, moment) =>
        putDocument(draft, { at, bytes, sha256 }, moment),
      undefined,
      { cause: "test", by: "test" },
    ),
  );
  await engine.journal.reached(seq);
  answers.files.add(sha256);
};

const waitForCheckpoint: Act = async () => {
  await turns(60);
};

/** Acts of one history, in order. */
export const WORKLOAD: readonly Act[] = [
  commit,
  commit,
  upload,
  save,
  commit,
  fork,
  commit,
  commit,
  waitForCheckpoint,
  turn,
  commit,
  save,
  commit,
];
