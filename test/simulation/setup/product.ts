import { randomUUID } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Plugin, rolldown } from "rolldown";
import type { DELIVERY_BOUNDS } from "../../../src/domain/webhooks/deliveries.ts";
import type { HostTime } from "../../../src/machine/host-time.ts";
import type { takeEvents } from "../../../src/rows/take-events.ts";
import type { initialWorld } from "../../../src/rows/world.ts";
import type { createSimulator } from "../../../src/simulator.ts";
import type { LONG_LINES } from "../../../src/storage/file/journal/long-line.ts";
import type { ATTEMPT_LIMITS } from "../../../src/webhooks/attempt-limiter.ts";
import type { MACHINE, withBoundary } from "../../../src/worlds/boundary.ts";
import type { DiskCalls } from "./disk-calls.ts";

/** A change of one source file, applied in memory before the program is loaded. */
export interface Patch {
  /** Path below `src`. */
  file: string;
  /** Text that stands in the file exactly once. */
  search: string;
  replace: string;
}

/** The program as histories run it: over a disk, a clock and a source of chance that are theirs. */
export interface Product {
  createSimulator: typeof createSimulator;
  withBoundary: typeof withBoundary;
  MACHINE: typeof MACHINE;
  hostTime: HostTime;
  DELIVERY_BOUNDS: typeof DELIVERY_BOUNDS;
  ATTEMPT_LIMITS: typeof ATTEMPT_LIMITS;
  LONG_LINES: typeof LONG_LINES;
  takeEvents: typeof takeEvents;
  initialWorld: typeof initialWorld;
  /** Forget what belongs to the process before. */
  forgetLeaving(): void;
  forgetAlarms(): void;
  ports: { disk: DiskCalls | undefined; randomBytes: (size: number) => Buffer };
}

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const SOURCES = join(ROOT, "src") + sep;

const ENTRY = "simulation-entry";
const PORTS = "simulation-ports";
/** Modules of Node.js that sources get from the history. */
const REPLACED = new Set(["node:fs", "node:fs/promises", "node:crypto"]);

const CALLS = {
  "node:fs": [
    ..."existsSync statSync fstatSync readFileSync readlinkSync realpathSync".split(" "),
    ..."readdirSync openSync closeSync readSync writeSync fdatasync fsyncSync".split(" "),
    ..."ftruncateSync truncateSync mkdirSync linkSync renameSync rmSync".split(" "),
    ..."unlinkSync rmdirSync copyFileSync writeFileSync utimesSync".split(" "),
  ],
  "node:fs/promises": "stat readFile readdir mkdir rename rm rmdir copyFile open".split(" "),
} as const;

const fileCalls = (name: keyof typeof CALLS) => {
  const group = name === "node:fs" ? "sync" : "promises";
  const calls = CALLS[name].map(
    (call) => `export const ${call} = (...given) => ports.disk?.takes(given[0])
      ? ports.disk.${group}.${call}(...given) : real.${call}(...given);`,
  );
  return `import * as real from "${name}"; import { ports } from "${PORTS}";\n${calls.join("\n")}`;
};

const source = (path: string) => JSON.stringify(join(SOURCES, path));

const VIRTUAL: Record<string, () => string> = {
  [ENTRY]: () => `
    export { createSimulator } from ${source("simulator.ts")};
    export { withBoundary, MACHINE } from ${source("worlds/boundary.ts")};
    export { hostTime } from ${source("machine/host-time.ts")};
    export { DELIVERY_BOUNDS } from ${source("domain/webhooks/deliveries.ts")};
    export { ATTEMPT_LIMITS } from ${source("webhooks/attempt-limiter.ts")};
    export { LONG_LINES } from ${source("storage/file/journal/long-line.ts")};
    export { forgetLeaving } from ${source("http/message/leaving.ts")};
    export { forgetAlarms } from ${source("runtime/alarm-clock.ts")};
    export { takeEvents } from ${source("rows/take-events.ts")};
    export { initialWorld } from ${source("rows/world.ts")};
    export { ports } from "${PORTS}";`,
  [PORTS]: () => "export const ports = { disk: undefined, randomBytes: undefined };",
  "node:fs": () => fileCalls("node:fs"),
  "node:fs/promises": () => fileCalls("node:fs/promises"),
  "node:crypto": () => `
    export * from "node:crypto"; import * as real from "node:crypto"; import { ports } from "${PORTS}";
    export const randomBytes = (size) => ports.randomBytes(size);
    const remembered = (make) => {
      const made = new Map();
      return (given) => {
        const name = typeof given === "string" ? given : given.format === "jwk" && JSON.stringify(given);
        if (!name) return make(given);
        if (!made.has(name)) made.set(name, make(given));
        return made.get(name);
      };
    };
    export const createPrivateKey = remembered(real.createPrivateKey);
    export const createPublicKey = remembered(real.createPublicKey);`,
};

const isReplaced = (id: string, importer = "") => REPLACED.has(id) && importer.startsWith(SOURCES);

/** Packages that users install, which no history needs. */
const OPTIONAL = /^(listhen|jiti|vitest|@playwright\/test)$/;

/** Puts the history's modules in the place of those of the machine. */
const replacing = (): Plugin => ({
  name: "replacing",
  resolveId(id, importer = "") {
    if (id === ENTRY || id === PORTS) return `\0${id}`;
    if (isReplaced(id, importer)) return `\0${id}`;
    return undefined;
  },
  load: (id) => VIRTUAL[id.replace("\0", "")]?.(),
});

const asText: Plugin = {
  name: "as-text",
  load: (id) =>
    id.endsWith("?raw")
      ? `export default ${JSON.stringify(readFileSync(id.slice(0, -"?raw".length), "utf8"))}`
      : undefined,
};

/** Packages are loaded once for all programs of a process. */
const packagesApart: Plugin = {
  name: "packages-apart",
  async resolveId(id, importer) {
    const isOwn = /^[./\0]/.test(id) || isBuiltin(id) || id === ENTRY || id === PORTS;
    if (isOwn || !importer?.startsWith(SOURCES)) return undefined;
    const found = await this.resolve(id, importer, { skipSelf: true });
    return found && { id: pathToFileURL(found.id).href, external: true };
  },
};

const LATE = /await import\("(@fastify\/busboy|csv-parse\/sync|csv-parse)"\)/g;

/** Packages that are loaded at their first use would take turns that no seed foretells. */
const loadedEarly: Plugin = {
  name: "loaded-early",
  transform(code, id) {
    const names = id.startsWith(SOURCES) ? [...code.matchAll(LATE)].map(([, name]) => name) : [];
    if (names.length === 0) return undefined;
    const imports = names.map((name, at) => `import * as early${at} from "${name}";\n`).join("");
    let at = 0;
    return (
      imports +
      code.replace(LATE, () => {
        at += 1;
        return `early${at - 1}`;
      })
    );
  },
};

/** Applies changes to the sources that are bundled. */
export const patching = (patches: readonly Patch[], applied: Set<Patch>): Plugin => ({
  name: "patching",
  transform(code, id) {
    const file = id.startsWith(SOURCES) ? relative(SOURCES, id).replaceAll(sep, "/") : undefined;
    let text = code;
    for (const patch of patches.filter((one) => one.file === file)) {
      const parts = text.split(patch.search);
      if (parts.length !== 2)
        throw new Error(
          `Expected the text once in src/${file} but found it ${parts.length - 1} times: ${patch.search}`,
        );
      text = parts.join(patch.replace);
      applied.add(patch);
    }
    return text === code ? undefined : text;
  },
});

/** Most that an account may hold, in place of a bound that no history reaches. */
export const MOST_MINOR = 3_000_000;

/** Rows of a list in a snapshot event, and in one of the first rows. */
export const GREETED_ROWS = { all: 8, first: 3 };

/** Limits so low that histories reach them. */
const TIGHT: readonly Patch[] = [
  {
    file: "contract/control/feed-rows.ts",
    search: "export const MAX_ROWS = 1000;",
    replace: `export const MAX_ROWS = ${GREETED_ROWS.all};`,
  },
  {
    file: "contract/control/feed-rows.ts",
    search: "export const FIRST_ROWS = 100;",
    replace: `export const FIRST_ROWS = ${GREETED_ROWS.first};`,
  },
  {
    file: "domain/money/ledger.ts",
    search: "const MAX_BALANCE = BigInt(Number.MAX_SAFE_INTEGER);",
    replace: `const MAX_BALANCE = ${MOST_MINOR}n;`,
  },
  {
    file: "storage/world/checkpoint-due.ts",
    search: "const AFTER_BYTES = 8 * 1024 * 1024;",
    replace: "const AFTER_BYTES = 4 * 1024;",
  },
  {
    file: "storage/world/checkpoint-due.ts",
    search: "const BUSY_AFTER_BYTES = 128 * 1024 * 1024;",
    replace: "const BUSY_AFTER_BYTES = 24 * 1024;",
  },
  {
    file: "storage/world/checkpoint-due.ts",
    search: "const AFTER_SEGMENTS = 64;",
    replace: "const AFTER_SEGMENTS = 4;",
  },
  {
    file: "storage/world/durable-world.ts",
    search: "const CHECKPOINT_AT_STOP_BYTES = 1024 * 1024;",
    replace: "const CHECKPOINT_AT_STOP_BYTES = 4 * 1024;",
  },
  {
    file: "storage/format/checkpoint.ts",
    search: "const SLICE_RECORDS = 1000;",
    replace: "const SLICE_RECORDS = 40;",
  },
  {
    file: "storage/format/checkpoint.ts",
    search: "const PART_CHARACTERS = 4 * 1024 * 1024;",
    replace: "const PART_CHARACTERS = 2 * 1024;",
  },
];

/** Bytes in place of signatures, which take most of a history's time and which no history reads. */
const UNSIGNED: Patch = {
  file: "crypto/webhook-signature.ts",
  search: "WRITTEN[form](signBytes(key, bytes));",
  replace: "WRITTEN[form](`${key.fingerprint} ${signBytes.length} ${bytes.length}`);",
};

/** Sealed texts without a seal: their libraries end in turns of their own, which no seed foretells. */
const UNSEALED: readonly Patch[] = [
  {
    file: "crypto/sealing.ts",
    search: 'import { open, type SealedMessage, seal } from "./hpke.ts";',
    replace: `import { open, type SealedMessage } from "./hpke.ts";
      const seal = async (plain: Buffer, { ephemeralHex }: { ephemeralHex: string }) => ({
        encappedHex: publicKeyOf(ephemeralHex, "uncompressed"),
        ciphertextHex: plain.toString("hex"),
      });`,
  },
  {
    file: "crypto/sealing.ts",
    search: 'const base58check = async () => (await import("bs58check")).default;',
    replace:
      'const base58check = async () => ({ encode: (bytes: Buffer) => bytes.toString("hex") });',
  },
  {
    file: "crypto/webauthn-library.ts",
    search: `  ...(await import("@simplewebauthn/server")),
  ...(await import("@simplewebauthn/server/helpers")),`,
    replace: `  decodeAttestationObject() { throw new Error("not read here"); },
      parseAuthenticatorData() { throw new Error("not read here"); },`,
  },
];

/** A token counts by the name of its key alone: the library ends in turns of its own. */
const UNVERIFIED: Patch = {
  file: "crypto/id-tokens.ts",
  search: 'const { createLocalJWKSet, errors, jwtVerify } = await import("jose");',
  replace: `const kid = Buffer.from(token.split(".")[2] ?? "", "base64url").toString();
    const isKnown = keys.some((key) => (key as PublicJwk).kid === kid);
    if (needsExpiry || keys) return isKnown ? undefined : "no known key has its kid and alg";
    const { createLocalJWKSet, errors, jwtVerify } = {} as never;`,
};

/** The package's files stand beside the sources, not beside the bundle of a history. */
const FILES: Patch = {
  file: "machine/package-folder.ts",
  search: "dirname(fileURLToPath(import.meta.url))",
  replace: `dirname(fileURLToPath(${JSON.stringify(import.meta.url)}))`,
};

/** Exports to forget the state of a process: here the next life runs in the same one. */
const FORGETTING: readonly Patch[] = [
  {
    file: "http/message/leaving.ts",
    search: "let isScheduled = false;",
    replace: `let isScheduled = false;
      export const forgetLeaving = () => { leaving = []; isScheduled = false; };`,
  },
  {
    file: "runtime/alarm-clock.ts",
    search: "const callOff = () => {",
    replace: `export const forgetAlarms = () => { waiting.clear(); earliest = undefined; };
      const callOff = () => {`,
  },
];

/**
 * Bundles the sources and loads them as a program of its own.
 * @param patches changes that are applied beside the tight limits
 * @throws Error when a change does not apply
 */
export const loadProduct = async (patches: readonly Patch[] = []): Promise<Product> => {
  const all = [...TIGHT, ...FORGETTING, ...UNSEALED, UNSIGNED, UNVERIFIED, FILES, ...patches];
  const applied = new Set<Patch>();
  const bundle = await rolldown({
    input: ENTRY,
    platform: "node",
    treeshake: false,
    logLevel: "silent",
    external: (id, importer) => (isBuiltin(id) && !isReplaced(id, importer)) || OPTIONAL.test(id),
    plugins: [replacing(), asText, packagesApart, loadedEarly, patching(all, applied)],
    transform: { define: { __VERSION__: '"0.0.0"', __BUNDLED__: "undefined" } },
  });
  const file = join(tmpdir(), `service-sim-simulation-${process.pid}-${randomUUID()}.mjs`);
  try {
    await bundle.write({ file, format: "esm", codeSplitting: false });
    const missed = all.find((patch) => !applied.has(patch));
    if (missed) throw new Error(`Expected src/${missed.file} in the program but found it nowhere`);
    return (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Product;
  } finally {
    await bundle.close();
    rmSync(file, { force: true });
  }
};
