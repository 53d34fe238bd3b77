import type { WorldBrand } from "../../contract/core/brand-words.ts";
import { defined } from "../../contract/core/defined.ts";

/**
 * A key in PEM as one line: the base64 of its DER. Headers, files of variables and an `eval` without
 * quotes take no other form.
 */
const onOneLine = (pem: string) => pem.replace(/-----[^-]+-----|\s/g, "");

/** Variables from which a program under test learns its simulator. */
export const environmentOf = (instance: {
  url: string;
  apiUrl: string;
  clientId: string;
  clientSecret: string;
  webhookPublicKey: string;
  controlUrl: string;
  /** Name of the world that is meant, unless it is the default one. */
  world?: string | undefined;
  brand?: WorldBrand | undefined;
  /** Key that signs what one-time codes are sealed to, uncompressed, hex. */
  otpSignerPublicKey?: string | undefined;
}): Record<string, string> => ({
  SERVICE_SIM_URL: instance.url,
  SERVICE_SIM_API_URL: instance.apiUrl,
  SERVICE_SIM_CLIENT_ID: instance.clientId,
  SERVICE_SIM_CLIENT_SECRET: instance.clientSecret,
  SERVICE_SIM_WEBHOOK_PUBLIC_KEY: instance.webhookPublicKey,
  SERVICE_SIM_WEBHOOK_PUBLIC_KEY_BASE64: onOneLine(instance.webhookPublicKey),
  ...defined({
    SERVICE_OTP_SIGNER_PUBLIC_KEY: instance.otpSignerPublicKey,
    SERVICE_SIM_WORLD: instance.world,
  }),
  ...variablesOf(instance.brand, instance),
});

/** Names of this machine to itself, as the readers of `NO_PROXY` write them. */
const LOOPBACK_NAMES = ["localhost", ".localhost", "127.0.0.1", "::1", "[::1]"];

const withNames = (list: string | undefined, names: readonly string[]) => {
  const there = (list ?? "").split(/[\s,]+/).filter(Boolean);
  if (there.includes("*")) return "*";
  return [...there, ...names.filter((name) => !there.includes(name))].join(",");
};

/**
 * The same variables, with which no call to this machine goes through a proxy: it would look for
 * the address on its own machine. Programs read either spelling.
 * @param url an address that is reached directly too
 */
export const directToLoopback = (env: NodeJS.ProcessEnv, url?: string): NodeJS.ProcessEnv => {
  const { NO_PROXY, no_proxy } = env;
  const host = url === undefined ? [] : [new URL(url).hostname];
  const names = [...new Set([...LOOPBACK_NAMES, ...host])];
  return {
    ...env,
    NO_PROXY: withNames(NO_PROXY ?? no_proxy, names),
    no_proxy: withNames(no_proxy ?? NO_PROXY, names),
  };
};

/**
 * Variables that clients of a brand read; its API is at the first path that it mounts. The key is
 * on one line, since generated clients send what they read as headers (spec/brand.md#file).
 */
const variablesOf = (
  brand: WorldBrand | undefined,
  { webhookPublicKey, ...instance }: Record<string, unknown> & { webhookPublicKey: string },
) => {
  const [path] = Object.keys(brand?.paths ?? {});
  const values = {
    ...instance,
    webhookPublicKey: onOneLine(webhookPublicKey),
    webhookPublicKeyPem: webhookPublicKey,
    ...(path !== undefined && { apiUrl: `${instance.url}${path}` }),
  };
  return Object.fromEntries(
    (brand?.env ?? [])
      .flatMap((set) => Object.entries(set))
      .map(([name, value]) => [name, String(values[value as keyof typeof values])]),
  );
};

/**
 * Variables that are not named after an option. `env` and `exec` set the first six for a program
 * under test.
 */
export const OTHER_VARIABLES = {
  SERVICE_SIM_URL: "address of the simulator; the default of `--url`",
  SERVICE_SIM_API_URL: "base URL of the platform's API",
  SERVICE_SIM_CLIENT_ID: "user name of HTTP Basic",
  SERVICE_SIM_CLIENT_SECRET: "password of HTTP Basic",
  SERVICE_SIM_WEBHOOK_PUBLIC_KEY: "PEM of the key that verifies webhooks, on several lines",
  SERVICE_SIM_WEBHOOK_PUBLIC_KEY_BASE64:
    "the same key on one line, base64 of its DER: for headers and files of variables",
  SERVICE_OTP_SIGNER_PUBLIC_KEY:
    "key that signs what one-time codes are sealed to, in hex; only in revisions that seal codes",
  SERVICE_SIM_CONTROL_TOKEN: "bearer token of `/_sim` at an address given with `--url`",
  SERVICE_SIM_AGAINST_CLIENT_ID: "user name at the service that `conform --against` names",
  SERVICE_SIM_AGAINST_CLIENT_SECRET: "password at the service that `conform --against` names",
  SERVICE_SIM_COVERAGE_DIR: "folder in which every process keeps its coverage",
  SERVICE_SIM_ANNOTATED:
    "file that `exec` names: a command below it makes it once it has annotated",
  SERVICE_SIM_SHARED: "address that `service-sim/vitest/setup` passes to its workers",
  SERVICE_SIM_KEEP:
    "keep the worlds of failed tests (`service-sim/vitest`, `service-sim/playwright`)",
  SERVICE_SIM_CODE_CACHE: "off: store no compiled code in the user's cache folder",
  NO_COLOR: "turn colors off, whatever the value",
  FORCE_COLOR: "keep colors without a terminal, unless 0",
} as const;
