import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Workplace } from "../setup/cli.ts";
import { copyPacked } from "../setup/installed.ts";
import { managerEnvironment } from "../setup/packed.ts";

interface Manifest {
  /** Bytes of the tarball. */
  size: number;
  files: { path: string; size: number; mode: number }[];
}

let place: Workplace;
let files: Manifest["files"];
let tarballBytes: number;

beforeAll(async () => {
  place = new Workplace();
  const words = ["npm", "pack", process.cwd(), "--dry-run", "--json", "--ignore-scripts"];
  const { stdout } = await place.spawn(words, { env: managerEnvironment(place) }).ended;
  const [packed] = Object.values(JSON.parse(stdout) as Record<string, Manifest>);
  files = packed?.files ?? [];
  tarballBytes = packed?.size ?? Number.NaN;
});

afterAll(() => place.close());

/** Patterns of the table in SECURITY.md, each as a regular expression. */
const PATTERNS = readFileSync(".github/SECURITY.md", "utf8")
  .split("\n")
  .filter((line) => /^\| `/.test(line))
  .flatMap((line) => [...(line.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)])
  .map(([, pattern = ""]) => ({
    pattern,
    form: new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll("*", "[^/]*")}$`),
  }));

describe("the files of the package", () => {
  test("are those that SECURITY.md lists", () => {
    const unlisted = files.filter(({ path }) => !PATTERNS.some(({ form }) => form.test(path)));
    expect(unlisted.map(({ path }) => path)).toEqual([]);
    const missing = PATTERNS.filter(({ form }) => !files.some(({ path }) => form.test(path)));
    expect(missing.map(({ pattern }) => pattern)).toEqual([]);
    expect(PATTERNS.length).toBeGreaterThan(15);
  });

  test("are 1.8 MB at most, packed", () => {
    expect(tarballBytes).toBeLessThanOrEqual(1_800_000);
  });

  test("are no links and no programs, but for the command", () => {
    const programs = files.filter(({ mode }) => (mode & 0o111) !== 0);
    expect(programs.map(({ path }) => path)).toEqual(["bin/service-sim.js"]);
  });

  test("name no folder of the machine that built them", () => {
    const folders = [process.cwd(), process.env.HOME ?? ""].filter((one) => one.length > 2);
    const telling = files.filter(({ path }) => {
      const text = readFileSync(path, "latin1");
      return folders.some((folder) => text.includes(`${folder}/`));
    });
    expect(telling.map(({ path }) => path)).toEqual([]);
  });
});

describe("the manifest of the package", () => {
  const manifestIn = async (place: Workplace) => {
    const tar = [
      "tar",
      "-xzOf",
      place.file("packed", "service-sim-0.1.0.tgz"),
      "package/package.json",
    ];
    return JSON.parse((await place.spawn(tar).ended).stdout) as Record<string, unknown>;
  };

  test("has nothing of the workshop", async () => {
    await copyPacked(place);
    const packed = await manifestIn(place);
    const kept = JSON.parse(readFileSync("package.json", "utf8")) as Record<string, unknown>;
    const left = Object.keys(kept).filter((name) => !(name in packed));
    expect(left.sort()).toEqual([
      "allowScripts",
      "devDependencies",
      "overrides",
      "scripts",
      "workspaces",
    ]);
    for (const [name, value] of Object.entries(packed)) expect(value).toEqual(kept[name]);
  });

  test("is written for a pack alone, and put back after it", async () => {
    for (const name of ["package.json", "README.md", "bin"])
      cpSync(name, place.file("own", name), { recursive: true });
    const whole = readFileSync("package.json", "utf8");
    const written = () => readFileSync(place.file("own", "package.json"), "utf8");
    const page = () => readFileSync(place.file("own", "README.md"), "utf8");
    const run = (...words: string[]) =>
      place.spawn([process.execPath, "bin/packed-manifest.js", ...words], { folder: "own" }).ended;
    await run();
    expect(JSON.parse(written())).not.toHaveProperty("devDependencies");
    // An interrupted pack has put nothing back.
    await run();
    expect(JSON.parse(written())).not.toHaveProperty("scripts");
    expect(page()).not.toContain("](src/");
    await run("--restore");
    expect(written()).toBe(whole);
    expect(page()).toBe(readFileSync("README.md", "utf8"));
    await run("--restore");
    expect(written()).toBe(whole);
    const { scripts } = JSON.parse(whole) as { scripts: Record<string, string> };
    expect(scripts.prepack).toBe("node bin/prepare.js && node bin/packed-manifest.js");
    expect(scripts.postpack).toBe("node bin/packed-manifest.js --restore");
  });
});

describe.each(["README.md", "CHANGELOG.md"])("%s of the package", (page) => {
  const REPOSITORY = "https://github.com/your-organization/service-sim";

  test("links to what is in the package, or to the repository at the tag of the version", async () => {
    await copyPacked(place);
    const tar = place.file("packed", "service-sim-0.1.0.tgz");
    const { stdout } = await place.spawn(["tar", "-xzOf", tar, `package/${page}`]).ended;
    const targets = [...stdout.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
    expect(targets.length).toBeGreaterThan(2);
    const inPackage = new Set(files.map(({ path }) => path));
    const dead = targets.filter((target) => {
      const [path = ""] = target.split("#");
      const [, at] =
        /^https:\/\/github\.com\/[\w-]+\/service-sim\/(?:blob|raw)\/v0\.1\.0\/(.+)$/.exec(path) ??
        [];
      if (at !== undefined) return !target.startsWith(REPOSITORY) || !existsSync(at);
      return !/^(\w+:|#)/.test(target) && !inPackage.has(path);
    });
    expect(dead).toEqual([]);
  });
});

interface Component {
  name: string;
  version: string;
  purl: string;
  licenses: { license?: { id: string }; expression?: string }[];
  hashes: { alg: string; content: string }[];
}

const { ALLOWED_LICENSES, RULE } = (await import(
  pathToFileURL("bin/third-party-notices.mjs").href
)) as { ALLOWED_LICENSES: Record<string, string>; RULE: string };

describe("the bill of materials", () => {
  const text = readFileSync("dist/sbom.cdx.json", "utf8");
  const { bomFormat, metadata, components, dependencies } = JSON.parse(text) as {
    bomFormat: string;
    metadata: { component: { name: string; version: string; purl: string } };
    components: Component[];
    dependencies: { ref: string; dependsOn: string[] }[];
  };

  test("is of this package", () => {
    expect(bomFormat).toBe("CycloneDX");
    expect(metadata.component).toMatchObject({
      name: "service-sim",
      version: "0.1.0",
      purl: "pkg:npm/service-sim@0.1.0",
    });
  });

  test("lists what the notices list, each with its license and the hash of its tarball", () => {
    const sections = readFileSync("dist/THIRD_PARTY_NOTICES.txt", "utf8").split(RULE).slice(1);
    const noticed = sections.map((section) => section.trim().split("\n")[0]);
    expect(components.map(({ name, version }) => `${name} ${version}`)).toEqual(noticed.sort());
    expect(components.length).toBeGreaterThan(50);
    for (const { name, version, purl, licenses, hashes } of components) {
      expect(purl).toBe(`pkg:npm/${name.replace("@", "%40")}@${version}`);
      const [{ license } = {}] = licenses;
      expect(Object.keys(ALLOWED_LICENSES), name).toContain(license?.id);
      expect(hashes[0]?.alg).toBe("SHA-512");
      expect(hashes[0]?.content).toMatch(/^[0-9a-f]{128}$/);
    }
    const purls = components.map(({ purl }) => purl);
    expect(dependencies).toEqual([{ ref: "pkg:npm/service-sim@0.1.0", dependsOn: purls }]);
  });

  test("is the same each time it is made", () => {
    execFileSync(process.execPath, ["bin/write-sbom.js"]);
    expect(readFileSync("dist/sbom.cdx.json", "utf8")).toBe(text);
    expect(text).not.toMatch(/timestamp|serialNumber|https?:/);
  });
});
