import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createPasskey, signWithPasskey } from "../../src/crypto/software-authenticator.ts";
import {
  type Assertion,
  type Attestation,
  verifyAssertion,
  verifyRegistration,
} from "../../src/crypto/webauthn.ts";
import { runsOf } from "../setup/campaign.ts";
import { AT, bytes, text, VECTORS } from "./setup/passkey-rework.ts";

const CHALLENGE = "dGFtcGVyaW5nLWNoYWxsZW5nZQ";
const ALGORITHMS = ["ES256", "EdDSA", "RS256"] as const;
const FLIPS = [0x01, 0x80];

/** A campaign changes each byte by both flips, other runs one byte in eleven by one of them in turn. */
const FLIPS_PER_BYTE = runsOf(FLIPS.length, 1);
const BYTES_APART = runsOf(1, 11);

/** Ways to change one byte of base64url bytes by one of its flips. */
const flipped = function* (base64url: string) {
  const original = bytes(base64url);
  for (let at = 0; at < original.length; at += BYTES_APART)
    for (let more = 0; more < FLIPS_PER_BYTE; more += 1) {
      const flip = FLIPS[(at + more) % FLIPS.length] as number;
      const copy = Buffer.from(original);
      copy[at] = (copy[at] as number) ^ flip;
      yield { at, text: text(copy) };
    }
};

const made = async (
  algorithm: (typeof ALGORITHMS)[number],
  attestation: "none" | "packed" = "none",
) => {
  const { passkey, attestation: sent } = await createPasskey({
    challenge: CHALLENGE,
    rpId: "localhost",
    origin: "http://localhost:3000",
    algorithm,
    attestation,
  });
  const facts = await verifyRegistration({ attestation: sent, challenge: CHALLENGE });
  if (facts.kind !== "verified") throw new Error(facts.check);
  const { assertion } = signWithPasskey(passkey, { challenge: CHALLENGE });
  return { attestation: sent, facts, assertion };
};

const registrationWith = (attestation: Attestation, differs: Partial<Attestation>) =>
  verifyRegistration({ attestation: { ...attestation, ...differs }, challenge: CHALLENGE });

const assertionsOf = async () => [
  ...(await Promise.all(
    ALGORITHMS.map(async (name) => {
      const { assertion, facts } = await made(name);
      return { name: name as string, assertion, facts, challenge: CHALLENGE };
    }),
  )),
  ...(await Promise.all(
    VECTORS.map(async ({ name, registration, signIn }) => {
      const facts = await verifyRegistration(registration);
      if (facts.kind !== "verified") throw new Error(facts.check);
      return { name, assertion: signIn.assertion, challenge: signIn.challenge, facts };
    }),
  )),
];

describe("no byte of an assertion can be changed", () => {
  test.each(["credentialId", "clientDataJson", "authenticatorData", "signature"] as const)(
    "%s",
    async (member) => {
      const accepted: string[] = [];
      let count = 0;
      for (const { name, assertion, challenge, facts } of await assertionsOf())
        for (const flip of flipped(assertion[member])) {
          const verdict = await verifyAssertion({
            assertion: { ...assertion, [member]: flip.text },
            challenge,
            passkey: facts,
          });
          count += 1;
          if (verdict.kind !== "refused") accepted.push(`${name}, byte ${flip.at}`);
          else expect(verdict.check).not.toBe("");
        }
      expect(accepted).toEqual([]);
      expect(count).toBeGreaterThan((350 * FLIPS_PER_BYTE) / BYTES_APART);
    },
  );
});

describe("no byte of a registration that signs itself can be changed", () => {
  test.each(ALGORITHMS)("%s", async (algorithm) => {
    const { attestation } = await made(algorithm, "packed");
    const accepted: string[] = [];
    for (const member of ["credentialId", "clientDataJson", "attestationObject"] as const)
      for (const flip of flipped(attestation[member])) {
        const { kind } = await registrationWith(attestation, { [member]: flip.text });
        if (kind === "verified") accepted.push(`${member}, byte ${flip.at}`);
      }
    expect(accepted).toEqual([]);
  });
});

describe("a registration that signs nothing, changed, is refused or another passkey", () => {
  /** Bytes that `none` does not protect: the authenticator's maker and its counter. */
  const isFree = (offset: number) => offset >= AT.flags && offset < AT.idLength;

  test.each(ALGORITHMS)("%s", async (algorithm) => {
    const { attestation, facts, assertion } = await made(algorithm);
    const start = bytes(attestation.attestationObject).indexOf(
      bytes(assertion.authenticatorData).subarray(0, AT.flags),
    );
    expect(start).toBeGreaterThan(0);
    const wrong: string[] = [];
    for (const flip of flipped(attestation.attestationObject)) {
      const found = await registrationWith(attestation, { attestationObject: flip.text });
      if (found.kind !== "verified" || isFree(flip.at - start)) continue;
      // The key may be replaced by another valid one, but then the true key's owner cannot sign in.
      const verdict = await verifyAssertion({ assertion, challenge: CHALLENGE, passkey: found });
      const isOther = found.publicKeyCose !== facts.publicKeyCose && verdict.kind === "refused";
      if (!isOther) wrong.push(`byte ${flip.at - start} of authData`);
    }
    expect(wrong).toEqual([]);
  });

  test("what says kind, challenge and host of the call", async () => {
    const { attestation } = await made("ES256");
    const json = bytes(attestation.clientDataJson).toString("utf8");
    const read = [
      '"type":"webauthn.create"',
      `"challenge":"${CHALLENGE}"`,
      '"origin":"',
      "localhost",
    ];
    const accepted: string[] = [];
    for (const part of read) expect(json).toContain(part);
    for (const flip of flipped(attestation.clientDataJson)) {
      const part = read.find((one) => {
        const start = json.indexOf(one);
        return flip.at >= start && flip.at < start + one.length;
      });
      if (part === undefined) continue;
      const found = await registrationWith(attestation, { clientDataJson: flip.text });
      if (found.kind === "verified") accepted.push(`${part}, byte ${flip.at}`);
    }
    for (const flip of flipped(attestation.credentialId)) {
      const found = await registrationWith(attestation, { credentialId: flip.text });
      if (found.kind === "verified") accepted.push(`credentialId, byte ${flip.at}`);
    }
    expect(accepted).toEqual([]);
  });
});

describe("garbage", () => {
  const KINDS = ["verified", "unparsable", "refused"];

  const anyText = fc.oneof(
    fc.string(),
    fc.uint8Array({ maxLength: 300 }).map((value) => text(value)),
    fc.json().map((value) => text(value)),
    fc.constantFrom("", "=", "oA", "oWNmbXQ", "sandbox-valid-passkey-signature"),
  );

  const anything = fc.oneof(anyText, fc.anything());

  test("in place of an attestation is unparsable or refused, and says why", async () => {
    const { attestation } = await made("ES256");
    const garbage = fc.record(
      { credentialId: anything, clientDataJson: anything, attestationObject: anything },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(garbage, anyText, async (members, challenge) => {
        const facts = await verifyRegistration({
          attestation: { ...attestation, ...members } as Attestation,
          challenge,
        });
        expect(KINDS).toContain(facts.kind);
        if (facts.kind === "verified") expect({ ...members, challenge }).toEqual({ challenge });
        else expect(facts.check).toMatch(/\S/);
      }),
      { numRuns: runsOf(500) },
    );
  });

  test("behind the beginning of an attestation is unparsable or refused", async () => {
    const { attestation } = await made("ES256");
    const object = bytes(attestation.attestationObject);
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: object.length - 1 }),
        fc.uint8Array({ maxLength: 64 }),
        async (length, tail) => {
          fc.pre(
            !object.subarray(length).equals(Buffer.from(tail).subarray(0, object.length - length)),
          );
          const sent = text(Buffer.concat([object.subarray(0, length), tail]));
          const facts = await registrationWith(attestation, { attestationObject: sent });
          expect(["unparsable", "refused"]).toContain(facts.kind);
        },
      ),
      { numRuns: runsOf(500) },
    );
  });

  test("in place of an assertion is refused, and says why", async () => {
    const { assertion, facts } = await made("EdDSA");
    const garbage = fc.record(
      {
        credentialId: anything,
        clientDataJson: anything,
        authenticatorData: anything,
        signature: anything,
      },
      { requiredKeys: [], noNullPrototype: true },
    );
    await fc.assert(
      fc.asyncProperty(garbage, async (members) => {
        fc.pre(Object.keys(members).length > 0);
        const verdict = await verifyAssertion({
          assertion: { ...assertion, ...members } as Assertion,
          challenge: CHALLENGE,
          passkey: facts,
        });
        expect(verdict).toEqual({ kind: "refused", check: expect.stringMatching(/\S/) });
      }),
      { numRuns: runsOf(500) },
    );
  });

  test("in place of what was stored is refused too", async () => {
    const { assertion, facts } = await made("EdDSA");
    await fc.assert(
      fc.asyncProperty(anyText, async (publicKeyCose) => {
        const passkey = { ...facts, publicKeyCose };
        const verdict = await verifyAssertion({ assertion, challenge: CHALLENGE, passkey });
        expect(verdict.kind).toBe("refused");
      }),
      { numRuns: runsOf(200) },
    );
  });

  test("nested deeper than a stack holds, or longer than it says, throws nothing", async () => {
    const { attestation } = await made("ES256");
    const deep = text(Buffer.alloc(200_000, 0x81));
    const long = text(Buffer.of(0x9b, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff));
    const nothing = undefined as unknown as Attestation;
    for (const attestationObject of [deep, long])
      expect(await registrationWith(attestation, { attestationObject })).toMatchObject({
        kind: "unparsable",
      });
    expect(await verifyRegistration({ attestation: nothing, challenge: "" })).toMatchObject({
      kind: "refused",
      check: expect.stringContaining("attestation cannot be checked"),
    });
  });
});
