import { LATER_CARD_STATES } from "../contract/cards/card-states.ts";
import {
  hasChange,
  REVISION_CHANGES,
  type Revision,
  type RevisionChange,
} from "../contract/core/revisions.ts";
import { EITHER_KEY, UNCOMPRESSED_KEY } from "../contract/wallets/credentials.ts";

type Json = Record<string, unknown>;

/** The parts of a document that changes touch. */
interface Parts {
  schemas: Record<string, Json>;
  parameters: Record<string, Json>;
}

const propertiesOf = (schema: Json | undefined) =>
  (schema?.properties ?? {}) as Record<string, Json>;

const without = (all: unknown, name: string) =>
  Array.isArray(all) ? all.filter((one) => one !== name) : all;

/** Differences that each change makes to the shapes that operations share. */
const REVISE: Partial<Record<RevisionChange, (parts: Parts) => void>> = {
  clientHeldSessionKeys: ({ schemas }) => {
    Object.assign(schemas.ClientPublicKey ?? {}, { pattern: EITHER_KEY });
    Object.assign(propertiesOf(schemas.CredentialChallengeInput).clientPublicKey ?? {}, {
      pattern: EITHER_KEY,
    });
    // An export is sealed to the client, which takes the whole point.
    Object.assign(propertiesOf(schemas.WalletExportInput), {
      clientPublicKey: { type: "string", pattern: UNCOMPRESSED_KEY },
    });
  },
  hexChallenges: ({ schemas }) => {
    Object.assign(propertiesOf(schemas.PasskeyChallenge).challenge ?? {}, {
      pattern: "^[0-9a-f]{64}$",
    });
  },
  fullStamps: ({ parameters }) => {
    Object.assign(parameters.WalletSignatureHeader ?? {}, {
      description: "payloadToSign, signed by a session's key: a stamp",
    });
  },
  cardProcessing: ({ schemas }) => {
    Object.assign(schemas.CardState ?? {}, { enum: [...LATER_CARD_STATES] });
  },
  cardReveal: ({ schemas }) => {
    const { Card: card } = schemas;
    if (!card) return;
    const { panEmbedUrl: _revealed, ...properties } = propertiesOf(card);
    Object.assign(card, { properties, required: without(card.required, "panEmbedUrl") });
  },
};

/** A document with what a revision changed of its shapes (spec/revisions.md#document). */
export const inRevision = (document: Json, revision: Revision): Json => {
  const changes = Object.keys(REVISION_CHANGES) as RevisionChange[];
  const served = changes.filter((change) => hasChange(revision, change));
  if (served.length === 0) return document;
  const copy = structuredClone(document);
  const { schemas = {}, parameters = {} } = copy.components as Partial<Parts>;
  for (const change of served) REVISE[change]?.({ schemas, parameters });
  return copy;
};
