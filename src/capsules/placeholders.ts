import { randomBytes } from "node:crypto";
import { signingKey } from "../crypto/ecdsa.ts";
import { derivedKeyPem } from "../crypto/seeded-credentials.ts";
import type { Identity } from "../storage/world/identity.ts";
import type { WorldSecrets } from "../worlds/world-image.ts";
import type { Redactions } from "./redactions.ts";
import type { Credentials } from "./secrets.ts";

/** Client secret of all capsules with placeholders; each call names the facts that it had proved. */
const REPLAYED_SECRET = "sk_sim_replayed";

/** Shorter secrets would also be found inside unrelated words. */
const SHORTEST = 8;

/** Secrets of the worlds of a recording, each replaced by a placeholder that stays the same. */
export class Placeholders {
  private readonly redactions: Redactions;
  private readonly keepsAll: () => boolean;
  private readonly salt = randomBytes(16).toString("hex");

  constructor(redactions: Redactions, keepsAll: () => boolean) {
    this.redactions = redactions;
    this.keepsAll = keepsAll;
  }

  /** The secrets of a world; equal ones get equal placeholders. */
  of({ clientSecret, webhookKeyPem, retiredWebhookKeyPems }: Identity, own: Credentials) {
    const secrets: WorldSecrets = {
      clientSecret: this.secret(clientSecret, own),
      webhookKeyPem: this.key(webhookKeyPem),
      ...(retiredWebhookKeyPems && {
        retiredWebhookKeyPems: retiredWebhookKeyPems.map((pem) => this.key(pem)),
      }),
    };
    return secrets;
  }

  /** Another signing key, whose public half replaces that of the key everywhere. */
  key(pem: string): string {
    if (this.keepsAll()) return pem;
    const other = derivedKeyPem("capsule key", `${this.salt} ${pem}`);
    const [real, shown] = [signingKey(pem), signingKey(other)];
    this.redactions.replace(pem, other);
    this.redactions.replace(real.publicPem, shown.publicPem);
    this.redactions.replace(real.fingerprint, shown.fingerprint);
    return other;
  }

  private secret(secret: string, own: Credentials) {
    if (this.keepsAll()) return secret;
    if (secret === own.clientSecret) return this.own(secret, REPLAYED_SECRET);
    this.redactions.note(secret);
    return this.redactions.hidden(secret);
  }

  /** The client secret of the simulator, and that of its replay. */
  own(secret: string, other: string) {
    if (secret.length >= SHORTEST) this.redactions.replace(secret, other);
    return other;
  }
}
