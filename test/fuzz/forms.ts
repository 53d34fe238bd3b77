import type { SimulatorOptions } from "../../src/simulator.ts";

/** A way to start the simulator that a campaign calls. */
export interface ServerForm {
  name: string;
  options: SimulatorOptions;
  /** Keeps its state in files, in a folder of its own; those of a later revision must. */
  isOnDisk?: true;
  /** Path of the platform's API, where it is not the usual one. */
  base?: string;
  /** Word of its brand, in small letters, as headers have it. */
  word?: string;
}

const ACME = {
  word: "acme",
  paths: { "/acme/2025-10-13": "2025-10-13" },
  cardEvents: "upper",
  signature: "json",
} as const;

const BRANDED = { base: "/acme/2025-10-13", word: "acme" } as const;

/**
 * Counts as reached from beyond loopback, so that the control surface asks for its token. Such a
 * start derives no secret from its seed, and calls no receiver on this machine without leave.
 */
const BEYOND_LOOPBACK = {
  tunnel: true,
  clientSecret: "secret-of-a-campaign",
  allowWebhookTargets: ["127.0.0.1"],
} as const;

/** Forms of the server that a campaign calls, one after the other. */
export const FORMS: readonly ServerForm[] = [
  { name: "plain", options: {} },
  { name: "brand", options: { brand: ACME }, ...BRANDED },
  { name: "revision", options: { revision: "2026-08" }, isOnDisk: true },
  { name: "disk", options: {}, isOnDisk: true },
  { name: "token", options: BEYOND_LOOPBACK },
  // Worlds leave memory between their calls, and few are taken.
  { name: "worlds", options: { worlds: "fixed", maxWorlds: 40, worldTtl: "50ms" }, isOnDisk: true },
  {
    name: "all",
    options: { ...BEYOND_LOOPBACK, brand: ACME, revision: "2026-08", clientId: "shop" },
    isOnDisk: true,
    ...BRANDED,
  },
];

/** The form that a command names. */
export const formCalled = (name: string): ServerForm => {
  const names = FORMS.map((form) => form.name).join(", ");
  const found = FORMS.find((form) => form.name === name);
  if (!found) throw new Error(`Expected one of ${names} but found ${name}`);
  return found;
};

/** Requests below which a further form is not worth its start. */
const FEWEST = 2_000;

/** The forms of a campaign with their share of its requests; the seed decides which is first. */
export const sharesOf = ({ seed, requests }: { seed: number; requests: number }) => {
  const count = Math.max(1, Math.min(FORMS.length, Math.floor(requests / FEWEST)));
  return Array.from({ length: count }, (_, at) => ({
    form: FORMS[(seed + at) % FORMS.length] as ServerForm,
    requests: Math.ceil(requests / count),
  }));
};

/** The seed of one form's share: no two forms are sent the same requests. */
export const seedOfForm = (seed: number, { name }: ServerForm) =>
  seed + 1_000_000 * FORMS.findIndex((form) => form.name === name);
