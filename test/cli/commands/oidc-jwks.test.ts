import { writeFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { benchPerTest } from "../setup/place-per-test.ts";

const place = benchPerTest();

beforeEach(() => {
  writeFileSync(place().file("good.json"), '{"keys":[]}');
});

const refused = (sentence: string) => ({
  code: 2,
  signal: null,
  stdout: "",
  stderr: `error  ${sentence}\nnext   service-sim start --help\n`,
});

const MISSING = "Expected --oidc-jwks to name a JWKS but found ENOENT at missing.json";

describe("start --oidc-jwks", () => {
  test.each([
    "--oidc-jwks missing.json",
    "--oidc-jwks https://a.example=missing.json",
    "--oidc-jwks https://a.example=good.json --oidc-jwks https://b.example=missing.json",
    "--oidc-jwks https://b.example=missing.json --oidc-jwks https://a.example=good.json",
    "--oidc-jwks https://a.example=good.json,https://b.example=missing.json",
  ])("reads each file that it names: %s", async (words) => {
    expect(await place().run(`start --storage memory: ${words}`)).toEqual(refused(MISSING));
  });

  test("asks for issuers in strict", async () => {
    expect(
      await place().run("start --storage memory: --crypto strict --oidc-jwks good.json"),
    ).toEqual(
      refused(
        "Expected --oidc-jwks as <issuer>=<file or url> with --crypto strict but found good.json",
      ),
    );
  });

  test("is taken from a config file, and a flag stands in for that", async () => {
    const config = { oidcJwks: "https://a.example=good.json,https://b.example=missing.json" };
    writeFileSync(place().file("service-sim.config.json"), JSON.stringify(config));
    expect((await place().run("start --storage memory:")).stderr).toContain(MISSING);
    const flag = "start --storage memory: --crypto strict --oidc-jwks good.json";
    expect((await place().run(flag)).stderr).toContain("but found good.json");
  });
});
