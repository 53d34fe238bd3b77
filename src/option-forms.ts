import { CLOCK_FORM, CLOCK_MODES, clockOf } from "./contract/control/clock-modes.ts";
import { WORLD_MODES } from "./contract/control/worlds.ts";
import { closestTo } from "./contract/core/closest.ts";
import { CODE_CHOICES_WORDS, isCodeChoice } from "./contract/core/code-choices.ts";
import { CRYPTO_MODES } from "./contract/core/crypto-modes.ts";
import { REVISIONS } from "./contract/core/revisions.ts";
import { APPROVAL_MODES, CARD_EVENTS, WALLET_CREDENTIALS } from "./contract/core/world-settings.ts";
import { SIGNATURE_FORMS } from "./crypto/webhook-signature.ts";
import { OptionError, type SimulatorOptions } from "./simulator-options.ts";

/** A demand on a value: in words, and as a test. */
interface Form {
  says: string;
  fits: (value: unknown) => boolean;
  /** All values there are; a wrong text is then no secret. */
  choices?: readonly string[];
}

const isText = (value: unknown) => typeof value === "string";
const isList = (value: unknown) => Array.isArray(value) && value.every(isText);
const isObject = (value: unknown) =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const TEXT: Form = { says: "text", fits: isText };
const SWITCH: Form = { says: "true or false", fits: (value) => typeof value === "boolean" };
const FUNCTION: Form = { says: "a function", fits: (value) => typeof value === "function" };
const LIST: Form = { says: "a list of texts", fits: isList };

/** The longest delay that a timer of Node.js takes. */
const MAX_DELAY_MS = 2 ** 31 - 1;

const oneOf = (choices: readonly string[]): Form => ({
  says: `one of ${choices.join(", ")}`,
  fits: (value) => choices.some((one) => one === value),
  choices,
});

/** The form of each option. The content of a text is checked where it is read. */
const OPTION_FORMS: Readonly<Record<keyof SimulatorOptions, Form>> = {
  seed: {
    says: "text or a number",
    fits: (value) => isText(value) || Number.isFinite(value),
  },
  now: { says: "an instant like 2026-01-05T09:00:00Z", fits: isText },
  clock: {
    says: CLOCK_FORM,
    fits: (value) => isText(value) && clockOf(`${value}`) !== undefined,
    choices: CLOCK_MODES,
  },
  fixture: {
    says: "the name of a fixture, a path or a fixture",
    fits: (value) => isText(value) || isObject(value),
  },
  storage: TEXT,
  fresh: SWITCH,
  beforeMovingAside: FUNCTION,
  host: TEXT,
  fsync: SWITCH,
  webhookTimeoutMs: {
    says: `a number from 1 to ${MAX_DELAY_MS}`,
    fits: (value) => typeof value === "number" && value >= 1 && value <= MAX_DELAY_MS,
  },
  webhookCa: TEXT,
  insecureWebhooks: SWITCH,
  webhookEndpoint: TEXT,
  sandboxUmaDomains: LIST,
  webhookKey: TEXT,
  webhookSignature: oneOf(SIGNATURE_FORMS),
  deterministicSignatures: SWITCH,
  clientId: TEXT,
  clientSecret: TEXT,
  brand: { says: "a word or a brand", fits: (value) => isText(value) || isObject(value) },
  crypto: oneOf(CRYPTO_MODES),
  walletCredential: oneOf(WALLET_CREDENTIALS),
  cardEvents: oneOf(CARD_EVENTS),
  revision: oneOf(REVISIONS),
  capsule: TEXT,
  codes: { says: CODE_CHOICES_WORDS, fits: isCodeChoice },
  approvals: oneOf(APPROVAL_MODES),
  rateLimit: TEXT,
  oidcIssuers: LIST,
  oidcJwks: { says: "text or a list of texts", fits: (value) => isText(value) || isList(value) },
  allowHosts: LIST,
  allowOrigins: LIST,
  productionPrefixes: LIST,
  allowWebhookTargets: LIST,
  tunnel: SWITCH,
  worlds: oneOf(WORLD_MODES),
  maxWorlds: {
    says: "a whole number from 1 to 100000",
    fits: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 100_000,
  },
  worldTtl: TEXT,
  force: SWITCH,
  answersBeforeReady: SWITCH,
  onActivity: FUNCTION,
  onWebhookKey: FUNCTION,
  onStateMadeAgain: FUNCTION,
  onAlarm: FUNCTION,
};

/** Names a wrong value by its kind, since it may be a secret. */
const kindOf = (value: unknown) => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (value instanceof Date) return "a Date";
  if (typeof value === "number" || typeof value === "boolean") return `a ${typeof value}`;
  return { string: "text", object: "an object", function: "a function" }[String(typeof value)];
};

const shown = ({ choices }: Form, value: unknown) =>
  choices && typeof value === "string" ? `"${value}"` : kindOf(value);

const isKnown = (name: string): name is keyof SimulatorOptions => Object.hasOwn(OPTION_FORMS, name);

/**
 * Refuses an option that does not exist and a value of another kind than its option takes.
 * @throws OptionError
 */
export const requireForms = (options: unknown) => {
  if (!isObject(options))
    throw new OptionError(`Expected an object with options but found ${kindOf(options)}`);
  for (const [name, value] of Object.entries(options as object)) {
    if (!isKnown(name)) throw unknownOption(name);
    const form = OPTION_FORMS[name];
    if (value !== undefined && !form.fits(value))
      throw new OptionError(
        `Expected ${name} to be ${form.says} but found ${shown(form, value)}`,
        name,
      );
  }
};

const unknownOption = (name: string) => {
  const closest = closestTo(name, Object.keys(OPTION_FORMS));
  const hint = closest === undefined ? "" : `; the closest one is ${closest}`;
  return new OptionError(`Expected an option of createSimulator but found ${name}${hint}`);
};

const LISTEN_FORMS: Readonly<Record<string, Form>> = {
  port: {
    says: "a number from 0 to 65535, or auto",
    fits: (value) => value === "auto" || (/^\d{1,5}$/.test(`${value}`) && Number(value) <= 65_535),
  },
  host: TEXT,
};

/**
 * Refuses a port or a host that nothing can listen on.
 * @throws OptionError
 */
export const requireListenForms = (given: object) => {
  if (!isObject(given))
    throw new OptionError(
      `Expected an object like { port: 4747 } in listen but found ${kindOf(given)}`,
    );
  for (const [name, value] of Object.entries(given)) {
    const form = LISTEN_FORMS[name];
    if (form && value !== undefined && !form.fits(value))
      throw new OptionError(
        `Expected ${name} to be ${form.says} but found ${JSON.stringify(value)}`,
      );
  }
};
