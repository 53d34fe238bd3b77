import { recordedOptions, type SimulatorOptions } from "../options/simulator-options.ts";
import { optionsOf } from "../options/world-options.ts";
import { type ProcessImage, tapedImage } from "../worlds/world-image.ts";
import type { TapedCall, TapedEntry, WorldTape } from "../worlds/world-tape.ts";
import { eventIn } from "./attempted-event.ts";
import { canonicalText } from "./canonical-names.ts";
import { type CapsuleEnd, encodeLine } from "./capsule-lines.ts";
import { type CapsuleEntry, isControlUrl, LineMaker } from "./line-maker.ts";
import { RecordedProofs } from "./recorded-proofs.ts";
import type { Credentials } from "./secrets.ts";

/** A tape with what of its process belongs into its capsule. */
export interface TapeSource {
  tape: WorldTape;
  /** Its entries, and those of worlds that descend from it, in their order. */
  entries: readonly TapedEntry[];
  options: SimulatorOptions;
  own: Credentials;
  address: string;
  process: ProcessImage;
}

const isCall = (entry: TapedEntry): entry is TapedCall => entry.kind === "call";

/** Learns all secrets before the first line is made: a change may come before its call has ended. */
const proofsOf = (calls: readonly TapedCall[], { redactions }: LineMaker) => {
  const all = new Map<TapedCall, RecordedProofs>();
  for (const call of calls) {
    redactions.takeUrl(new URL(call.url));
    const proofs = new RecordedProofs(
      { url: call.url, headers: new Map(call.headers) },
      redactions,
    );
    if (call.body) proofs.take(call.body);
    redactions.learn(canonicalText(call.reply) ?? "");
    all.set(call, proofs);
  }
  return all;
};

const causeKey = (world: string, id: string) => `${world} ${id}`;

/** Moments of the first changes that calls have made. */
const firstChangesIn = (entries: readonly TapedEntry[]) => {
  const moments = new Map<string, number>();
  for (const entry of entries) {
    if (entry.kind !== "change" || !entry.change.cause.startsWith("req-")) continue;
    const key = causeKey(entry.world, entry.change.cause);
    if (!moments.has(key)) moments.set(key, entry.at);
  }
  return moments;
};

/** The first lines: the worlds as they stood when the tape began. */
const startStateOf = (
  { tape, options, own, address, process }: TapeSource,
  maker: LineMaker,
): { head: object; lines: CapsuleEntry[] } => {
  const { birth, starting = birth, w } = tape;
  if (!birth || !starting) return { head: {}, lines: [] };
  const { fixture, ...beginning } = process;
  const identity = optionsOf(starting.identity);
  const head = maker.head({
    w,
    options: { ...recordedOptions(options), codes: undefined, ...identity },
    fixture,
    beginning,
  });
  const births = starting === birth ? [birth] : [starting, birth];
  const images = births.map((one) => {
    const image = tapedImage(one, maker.placeholders.of(one.identity, own));
    // A world that is not the default one begins again where its tape began.
    return one === birth && one !== starting ? { ...image, from: starting.name } : image;
  });
  for (const { state } of images) maker.redactions.learn(state);
  const lines = images.map((image): CapsuleEntry => ({ t: "world", at: 0, image }));
  lines.push({ t: "origin", at: 0, url: address });
  return { head, lines };
};

/** The text of the capsule of one world (spec/capsules.md#recordings-of-worlds). */
export const capsuleOf = (source: TapeSource): string => {
  const { entries } = source;
  const maker = new LineMaker({ options: source.options, withSecrets: false });
  maker.own = source.own;
  const { head, lines } = startStateOf(source, maker);
  const calls = entries.filter(isCall);
  const proofs = proofsOf(calls, maker);
  const moments = firstChangesIn(entries);
  for (const entry of entries) {
    const line = lineOf(entry, { maker, proofs, moments });
    if (line) lines.push(line);
  }
  const ended = new Set(calls.map(({ world, id }) => causeKey(world, id)));
  const left = [...moments.keys()].filter((key) => !ended.has(key)).length;
  const end: CapsuleEnd = {
    end: lines.length,
    requests: calls.length,
    ...(left > 0 && { left }),
  };
  const numbered = lines.map((line, index) => encodeLine({ n: index + 1, ...line }));
  return [encodeLine(head), ...numbered, encodeLine(end)].join("");
};

interface CapsuleParts {
  maker: LineMaker;
  proofs: ReadonlyMap<TapedCall, RecordedProofs>;
  moments: ReadonlyMap<string, number>;
}

const lineOf = (
  entry: TapedEntry,
  { maker, proofs, moments }: CapsuleParts,
): CapsuleEntry | undefined => {
  const { at, world } = entry;
  switch (entry.kind) {
    case "call": {
      const { kind: _kind, worked, done: _done, ...call } = entry;
      const first = moments.get(causeKey(world, call.id)) ?? worked ?? at;
      const place = isControlUrl(call.url) ? at : first;
      return maker.call({ ...call, at: place, proofs: proofs.get(entry) });
    }
    case "change": {
      const digest = maker.change(entry.change);
      return digest && { t: "change", at, world, ...digest };
    }
    case "attempt": {
      const { w, body, answer } = entry;
      return { t: "attempt", at, w, event: eventIn(body), answer: { ...answer } };
    }
    case "drawn":
      return { t: "drawn", at, what: entry.what, value: maker.drawn(entry.what, entry.value) };
    case "advance": {
      const { w, e, span } = entry;
      return { t: "advance", at, w, e, span };
    }
  }
};
