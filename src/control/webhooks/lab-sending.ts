import type { SentWebhook } from "../../contract/control/webhooks.ts";
import { type Brand, OWN } from "../../contract/core/brand-words.ts";
import { defined } from "../../contract/core/defined.ts";
import type { LabKind } from "../../contract/webhooks/lab-vectors.ts";
import { signingKey } from "../../crypto/ecdsa.ts";
import { derivedKeyPem } from "../../crypto/seeded-credentials.ts";
import { signatureHeader, type WebhookKeys } from "../../crypto/webhook-signature.ts";
import { brandIn } from "../../domain/core/brand.ts";
import { refuse } from "../../domain/core/refusal.ts";
import type { EventRecord } from "../../domain/records/records.ts";
import { bytesOf, showDelivery } from "../../domain/webhooks/deliveries.ts";
import { refuseWithoutEndpoint } from "../../domain/webhooks/no-endpoint.ts";
import type { Call } from "../../http/door/call.ts";
import type { World } from "../core/world.ts";

type SignEvent = (event: EventRecord, keys: WebhookKeys, brand: Brand | undefined) => string;

const signRightly: SignEvent = (event, { current, form }, brand) =>
  signatureHeader(form, current, bytesOf(event, brand));

/** Signature headers of deliveries that are made by hand. */
const SIGNATURES: Readonly<Record<Exclude<LabKind, "mistaken">, SignEvent>> = {
  triggered: signRightly,
  "wrong-key": (event, { form, current }, brand) => {
    const isRepeatable = current.repeatableScalar !== undefined;
    const wrong = signingKey(derivedKeyPem("wrong key", event.id), { isRepeatable });
    return signatureHeader(form, wrong, bytesOf(event, brand));
  },
  "tampered-body": ({ signed = "" }, { current, form }, brand = OWN) =>
    signatureHeader(form, current, Buffer.from(brand.outward(signed))),
  "old-key": (event, { retired: [newest], form }, brand) =>
    newest ? signatureHeader(form, newest, bytesOf(event, brand)) : refuse("NO_RETIRED_KEY"),
  duplicate: signRightly,
  reordered: signRightly,
  delayed: signRightly,
  dropped: signRightly,
};

/** Refuses a delivery that cannot be signed as asked, before anything is recorded. */
export const requireKeyFor = (kind: LabKind, { keys }: World) => {
  if (kind === "old-key" && keys().retired.length === 0) refuse("NO_RETIRED_KEY");
};

/** The bytes of a recorded event. */
export const eventOf = (id: string, { engine }: World): EventRecord =>
  engine.state.get("Event", id) ?? refuse("ID_NOT_FOUND", { id });

/**
 * Sends a delivery that was made by hand once, outside its lane, and returns the answer.
 * @param signature the header; when left out, the one that its kind demands
 */
export const sendMade = async (
  { id, signature }: { id: string; signature?: string },
  call: Call,
  world: World,
): Promise<SentWebhook> => {
  await call.durable();
  const { state } = world.engine;
  const { lab = "triggered" } = state.get("Delivery", id) ?? refuse("ID_NOT_FOUND", { id });
  const kind = lab === "mistaken" ? "triggered" : lab;
  const header = signature ?? SIGNATURES[kind](eventOf(id, world), world.keys(), brandIn(state));
  const answer = await call.deliveries.resend(id, header);
  if (!answer) return refuseWithoutEndpoint();
  call.sawEverything();
  const delivery = state.get("Delivery", id) ?? refuse("ID_NOT_FOUND", { id });
  const { httpStatus, reply, cut, error, tookMs } = answer;
  const { error: _before, ...shown } = showDelivery(delivery);
  return {
    ...shown,
    status: httpStatus ?? null,
    tookMs,
    ...defined({ reply, cut, error }),
  };
};
