import type { ReceiverReport } from "../../contract/control/webhook-lab.ts";
import type { SignatureForm } from "../../contract/core/world-settings.ts";
import type { LabKind } from "../../contract/webhooks/lab-vectors.ts";
import { judgeAnswer } from "../../contract/webhooks/webhook-lab.ts";
import { signBytes } from "../../crypto/ecdsa.ts";
import { MISTAKES, type Mistake, mistakeOf } from "../../crypto/signature-mistakes.ts";
import { inForm, type WebhookKeys } from "../../crypto/webhook-signature.ts";
import { brandIn } from "../../domain/core/brand.ts";
import { bytesOf } from "../../domain/webhooks/deliveries.ts";
import { makeProbe } from "../../domain/webhooks/lab-events.ts";
import type { Call } from "../../http/door/call.ts";
import type { World } from "../core/world.ts";
import { eventOf, sendMade } from "./lab-sending.ts";

/** Deliveries that a receiver is sent first, each with the required answer. */
const PROBES = [
  { check: "good", kind: "triggered", expects: "take", expected: "2xx or 409" },
  { check: "tampered", kind: "tampered-body", expects: "refuse", expected: "4xx except 409" },
  { check: "foreign key", kind: "wrong-key", expects: "refuse", expected: "4xx except 409" },
] as const satisfies readonly {
  check: string;
  kind: LabKind;
  expects: "refuse" | "take";
  expected: string;
}[];

type SentProbe = Awaited<ReturnType<typeof sendMade>>;

const answerOf = ({ status, error }: SentProbe) => `${status ?? error ?? "no answer"}`;

const send = async (probe: (typeof PROBES)[number], call: Call, world: World) => {
  const { check, kind, expects, expected } = probe;
  const id = call.commit(makeProbe, { kind });
  const sent = await sendMade({ id }, call, world);
  const httpStatus = sent.status ?? undefined;
  const { ok, says } = judgeAnswer(expects, { type: sent.type, httpStatus });
  return { check, ok, expected, found: `${answerOf(sent)}, ${says}`, id, httpStatus };
};

const isTaken = ({ status, type }: SentProbe) =>
  judgeAnswer("take", { type, httpStatus: status ?? undefined }).ok;

/** The mistake of the form `json` alone: the receiver expects the bare base64. */
const NOT_UNWRAPPED: Mistake = {
  ...mistakeOf("JSON_WRAPPER"),
  name: "the signature is not wrapped in JSON",
  fix: 'parse the header, take its member "s"',
  misread: (body, { current }) => [signBytes(current, body)],
};

const mistakesIn = (form: SignatureForm): readonly Mistake[] =>
  form === "base64"
    ? MISTAKES
    : [
        NOT_UNWRAPPED,
        ...MISTAKES.filter(({ code }) => code !== NOT_UNWRAPPED.code).map((mistake) => ({
          ...mistake,
          misread: (body: Buffer, keys: WebhookKeys) =>
            mistake.misread(body, keys).map((signature) => inForm(form, signature)),
        })),
      ];

/** Sends each usual mistake in turn; the one that is accepted is the receiver's. */
const findMistake = async (call: Call, world: World) => {
  for (const mistake of mistakesIn(world.keys().form)) {
    const event = eventOf(call.commit(makeProbe, { kind: "mistaken" }), world);
    for (const signature of mistake.misread(
      bytesOf(event, brandIn(world.engine.state)),
      world.keys(),
    )) {
      const sent = await sendMade({ id: event.id, signature }, call, world);
      if (isTaken(sent)) return { mistake, id: event.id };
    }
  }
  return undefined;
};

const takesAnything = {
  code: "NOT_VERIFIED",
  message: "accepts deliveries that this simulator did not sign",
  fix: "verify X-Service-Signature over the raw bytes before anything else, and answer 401",
};

const unanswered = (outcome: string) => ({
  code: "NOT_REACHED",
  message: `did not answer: ${outcome}`,
  fix: "start the receiver; PATCH /config sets where webhooks go",
});

const unexplained = {
  code: "REFUSES_GOOD",
  message: "rejects correctly signed deliveries, for an unknown reason",
  fix: "check what it received: service-sim webhooks doctor --body <file> --header <signature>",
};

const fellOver = (outcome: string) => ({
  code: "NO_REFUSAL",
  message: `does not answer 4xx to a wrong signature: ${outcome}`,
  fix: "answer 401 to a signature that does not verify; a 5xx or a 409 means something else",
});

/**
 * Tests the receiver behind the endpoint: it must accept good deliveries and refuse bad ones.
 * Where it refuses good ones, the usual mistakes show the reason.
 */
export const checkReceiver = async (call: Call, world: World): Promise<ReceiverReport> => {
  const checks = [];
  for (const probe of PROBES) checks.push(await send(probe, call, world));
  const diagnosis = await diagnose(checks, call, world);
  return {
    ok: checks.every(({ ok }) => ok),
    checks: checks.map(({ httpStatus: _judged, ...shown }) => shown),
    ...(diagnosis && { diagnosis }),
  };
};

const diagnose = async (
  [good, ...wrong]: readonly Awaited<ReturnType<typeof send>>[],
  call: Call,
  world: World,
) => {
  if (good && good.httpStatus === undefined) return unanswered(good.found);
  const isTakenToo = ({ httpStatus = 0 }: { httpStatus: number | undefined }) =>
    httpStatus >= 200 && httpStatus < 300;
  if (wrong.some(isTakenToo)) return takesAnything;
  const odd = wrong.find(({ ok }) => !ok);
  if (good?.ok) return odd && fellOver(odd.found);
  const acceptedMistake = await findMistake(call, world);
  if (!acceptedMistake) return unexplained;
  const { code, name, fix } = acceptedMistake.mistake;
  return { code, message: `accepts a delivery made as if ${name}`, fix, id: acceptedMistake.id };
};
