import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { Product } from "./product.ts";

const KEPT_OUT = "kept-out-4711";

/** Names that are paths, or that a file system reads as something else. */
export const NAMES: readonly string[] = [
  "",
  ".",
  "..",
  "../outside",
  "../outside/",
  "../../outside",
  "./../outside",
  "a/../../outside",
  "a/b",
  "a//b",
  "/outside",
  "/etc/hostname",
  "//host/share",
  "..\\outside",
  "a\\..\\..\\outside",
  "C:\\outside",
  "c:outside",
  "%2e%2e%2foutside",
  "..%2foutside",
  "..%5coutside",
  "%252e%252e%252foutside",
  "..%c0%afoutside",
  "．．/outside",
  "..∕outside",
  "outside\0.json",
  "outside\n",
  "file:../outside",
  "file:///outside",
  "~/outside",
  "$HOME/outside",
  "outside.json",
  "outside*",
  "-rf",
  ".outside",
  "a".repeat(65),
  "a".repeat(5_000),
  "__proto__",
  "constructor",
  "con",
  "nul.json",
  "outside:stream",
  "out side",
  "Outside",
  "\u202eedistuo",
  "ABSOLUTE",
  "RELATIVE",
];

interface Place {
  /** A customer, to whom documents belong. */
  holder: string;
  sim: Awaited<ReturnType<Product["createSimulator"]>>;
  /** A call of the control surface. */
  control(method: string, path: string, body?: unknown): Promise<Response>;
  /** A call of the platform, also with another user or further headers. */
  platform(path: string, init?: RequestInit): Promise<Response>;
}

/** A place where a caller gives a name. */
interface NameUse {
  says: string;
  call(place: Place, name: string): Promise<Response>;
}

const encoded = encodeURIComponent;

const basicFor = (user: string, secret: string) =>
  `Basic ${Buffer.from(`${user}:${secret}`).toString("base64")}`;

const uploaded = (name: string, holder: string) => {
  const form = new FormData();
  for (const [field, value] of Object.entries({ documentType: "PASSPORT", country: "MX" }))
    form.append(field, value);
  form.append("documentHolder", holder);
  form.append("file", new Blob(["%PDF-"]), name);
  return form;
};

export const NAME_USES: readonly NameUse[] = [
  { says: "a new world", call: ({ control }, name) => control("POST", "/worlds", { name }) },
  {
    says: "a world in place of another",
    call: ({ control }, name) => control("POST", "/worlds", { inPlaceOf: name }),
  },
  {
    says: "the origin of a world",
    call: ({ control }, name) => control("POST", "/worlds", { from: `world:${name}` }),
  },
  {
    says: "the snapshot of a world",
    call: ({ control }, name) => control("POST", "/worlds", { from: `snapshot:${name}` }),
  },
  {
    says: "a world that is removed",
    call: ({ control }, name) => control("DELETE", `/worlds/${encoded(name)}`),
  },
  {
    says: "a world in the query",
    call: ({ control }, name) => control("GET", `/status?world=${encoded(name)}`),
  },
  {
    says: "a world in the user name",
    call: ({ platform, sim }, name) =>
      platform("/config", {
        headers: { authorization: basicFor(`sandbox+${name}`, sim.clientSecret) },
      }),
  },
  {
    says: "a new snapshot",
    call: ({ control }, name) => control("PUT", `/snapshots/${encoded(name)}`),
  },
  {
    says: "a snapshot that is restored",
    call: ({ control }, name) => control("POST", `/snapshots/${encoded(name)}/restore`),
  },
  {
    says: "a snapshot that is exported",
    call: ({ control }, name) => control("GET", `/snapshots/${encoded(name)}/export`),
  },
  {
    says: "a snapshot that is removed",
    call: ({ control }, name) => control("DELETE", `/snapshots/${encoded(name)}`),
  },
  {
    says: "a snapshot that is imported",
    call: async ({ control }, name) => {
      await control("PUT", "/snapshots/fit");
      const file = await (await control("GET", "/snapshots/fit/export")).text();
      return control("POST", "/snapshots/import", { name, file });
    },
  },
  {
    says: "a difference from a snapshot",
    call: ({ control }, name) => control("GET", `/diff?from=snapshot:${encoded(name)}`),
  },
  {
    says: "a fixture over HTTP",
    call: ({ control }, name) => control("POST", "/seed", { name }),
  },
  {
    says: "a page of the documents",
    call: ({ control }, name) => control("GET", `/docs/${encoded(name)}`),
  },
  {
    says: "a page in a folder",
    call: ({ control }, name) => control("GET", `/docs/spec/${encoded(name)}`),
  },
  {
    says: "a folder of the documents",
    call: ({ control }, name) => control("GET", `/docs/${encoded(name)}/quotes`),
  },
  {
    says: "a file of the console",
    call: ({ control }, name) => control("GET", `/console/${encoded(name)}`),
  },
  {
    says: "the file of a document",
    call: ({ platform, holder }, name) =>
      platform("/documents", { method: "POST", body: uploaded(name, holder) }),
  },
  {
    says: "a document by its id",
    call: ({ platform }, name) => platform(`/documents/${encoded(name)}`),
  },
];

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();

/** Names of files that the simulator gives itself. */
const OWN_FILE = /^[\w.=~-]{1,100}$/;

/**
 * Names that lead out of the state directory: a file beside it was made, changed or told, or one in
 * it has the name. A name that is no name of ours is never taken either.
 */
export const leavingNames = async (
  { createSimulator }: Pick<Product, "createSimulator">,
  rows: readonly { use: NameUse; name: string }[],
): Promise<string[]> => {
  const folder = mkdtempSync(join(tmpdir(), "service-sim-names-"));
  const state = join(folder, "state");
  for (const name of ["outside", "outside.json", "quotes.md"])
    writeFileSync(join(folder, name), `{"${KEPT_OUT}":true}`);
  mkdirSync(join(folder, "beside"));
  const before = filesBelow(folder);
  const sim = await createSimulator({ storage: `file:${state}`, clock: "manual", worlds: "open" });
  const findings: string[] = [];
  try {
    const place = await placeOf(sim);
    // Two names are paths that really lead to a file outside.
    const outside = join(folder, "outside.json");
    const paths = new Map([
      ["ABSOLUTE", outside],
      ["RELATIVE", relative(process.cwd(), outside)],
    ]);
    for (const { use, name: given } of rows) {
      const name = paths.get(given) ?? given;
      const told = `${use.says}, ${JSON.stringify(name.slice(0, 40))}`;
      const response = await use.call(place, name);
      const text = await response.text();
      if (text.includes(KEPT_OUT)) findings.push(`${told}: a file outside was told`);
      if (response.status >= 500) findings.push(`${told}: status ${response.status}`);
      const beside = filesBelow(folder).filter((file) => !/^state(?:[\\/]|$)/.test(file));
      if (beside.join() !== before.join()) findings.push(`${told}: outside is ${beside.join()}`);
    }
    const odd = filesBelow(state).filter((file) =>
      file.split(/[\\/]/).some((part) => !OWN_FILE.test(part)),
    );
    findings.push(...odd.map((file) => `the state has a file ${JSON.stringify(file)}`));
    for (const name of ["outside", "outside.json"])
      if (readFileSync(join(folder, name), "utf8") !== `{"${KEPT_OUT}":true}`)
        findings.push(`${name} was changed`);
  } finally {
    await sim.close();
    rmSync(folder, { recursive: true });
  }
  return findings;
};

const placeOf = async (sim: Place["sim"]): Promise<Place> => {
  const authorization = basicFor(sim.clientId, sim.clientSecret);
  const made = await sim.fetch(
    new Request(`${sim.apiUrl}/customers`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: '{"customerType":"INDIVIDUAL"}',
    }),
  );
  return {
    sim,
    holder: (await made.json()).id,
    control: (method, path, body) => {
      const headers = { "content-type": "application/json" };
      const json = body === undefined ? {} : { headers, body: JSON.stringify(body) };
      return sim.fetch(new Request(sim.controlUrl + path, { method, ...json }));
    },
    platform: (path, init = {}) =>
      sim.fetch(new Request(sim.apiUrl + path, { headers: { authorization }, ...init })),
  };
};

/** Every name in every use. */
export const NAMED = NAME_USES.flatMap((use) => NAMES.map((name) => ({ use, name })));
