import { existsSync, rmSync, writeFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { documentOf } from "../../setup/cli.ts";
import { benchPerTest } from "../setup/place-per-test.ts";

const place = benchPerTest();

let isDetached = false;

const detached = async (options: string) => {
  const ended = await place().run(`start --detach --port 0 ${options}`);
  isDetached = ended.code === 0;
  return ended;
};

const stopDetached = async () => {
  const { code } = await place().run("stop");
  isDetached = false;
  return code;
};

// A detached simulator is nobody's child, so `stop` ends it. Others end with their place, which no
// `stop` could wait for.
afterEach(async () => {
  if (isDetached) await stopDetached();
});

const settings = async () => documentOf(await place().run("status --json")).settings;

describe("the line of the recipes works again after a stop", () => {
  const LINE = "--fixture payouts-demo --seed 7";

  test("with the same secret, and the state continues", async () => {
    expect(await detached(`${LINE} --json`)).toMatchObject({ code: 0 });
    const first = documentOf(await place().run("env --json"));
    expect(await stopDetached()).toBe(0);
    expect(await detached(LINE)).toMatchObject({ code: 0 });
    expect(documentOf(await place().run("env --json"))).toMatchObject({
      SERVICE_SIM_CLIENT_SECRET: first.SERVICE_SIM_CLIENT_SECRET,
      SERVICE_SIM_WEBHOOK_PUBLIC_KEY: first.SERVICE_SIM_WEBHOOK_PUBLIC_KEY,
    });
    expect(documentOf(await place().run("status --json"))).toMatchObject({
      seed: "7",
      fixture: "payouts-demo",
    });
  });

  test("with --fresh it begins again and says where the earlier state is", async () => {
    await (await place().start("--seed 7")).stop();
    const anew = await place().start("--fresh --seed 8");
    const aside = place().file(".service-sim", "old-1");
    expect(anew.started.errors).toContain(
      `note   the earlier state is in ${aside}; continue it with start --storage file:${aside}\n`,
    );
    expect(documentOf(await place().run("status --json"))).toMatchObject({ seed: "8" });
    await anew.stop();
    const old = await place().start(`--storage file:${aside}`);
    expect((await old.control("GET", "/status")).body).toMatchObject({ seed: "7" });
  });
});

test("a --fresh start whose fixture is refused leaves the state that continues", async () => {
  await (await place().start("--seed 7 --fixture payouts-demo")).stop();
  const steps = [{ request: { method: "POST", path: "/customers", body: { customerType: "X" } } }];
  writeFileSync(place().file("bad.json"), JSON.stringify({ name: "bad", steps }));
  const words = "start --port 0 --fresh --seed 8 --fixture bad.json";
  const { code, stderr } = await place().run(words);
  expect(code).toBe(2);
  expect(stderr).toContain(
    "error  --fixture: Expected step 1, POST /customers, to answer 2xx at line 1, column ",
  );
  expect(existsSync(place().file(".service-sim", "old-1"))).toBe(false);
  const again = await place().start();
  expect((await again.control("GET", "/status")).body).toMatchObject({
    seed: "7",
    fixture: "payouts-demo",
  });
});

const SAID = {
  crypto: "strict",
  walletCredential: "email",
  approvals: "reject",
  cardEvents: "upper",
  revision: "2026-08",
  codes: "4711",
  webhookSignature: "json",
  rateLimit: "10/s",
  clock: "manual",
  clientId: "ada",
  webhookEndpoint: "http://127.0.0.1:9/a",
};

const FLAGS =
  "--rate-limit 10/s --crypto strict --wallet-credential email --approvals reject --card-events upper --revision 2026-08 --codes 4711 " +
  "--webhook-signature json --clock manual --client-id ada --webhook-endpoint http://127.0.0.1:9/a " +
  "--oidc-issuer https://a.test,https://b.test --sandbox-uma-domain uma.a.test";

const IN_FORCE = {
  ...SAID,
  oidcIssuers: ["https://a.test", "https://b.test"],
  sandboxUmaDomains: ["uma.a.test"],
};

describe("every option counts the same, wherever it is said", () => {
  test("by flags, and it is kept", async () => {
    const first = await place().start(FLAGS);
    expect(await settings()).toMatchObject(IN_FORCE);
    await first.stop();
    await place().start();
    expect(await settings()).toMatchObject(IN_FORCE);
    await place().run("reset");
    expect(await settings()).toMatchObject(IN_FORCE);
    const { stdout } = await place().run("status");
    expect(stdout).toContain(
      "settings    crypto strict, wallet-credential email, approvals reject\n" +
        "            card-events upper, codes 4711, webhook-signature json\n" +
        "            client-id ada, oidc-issuer https://a.test,https://b.test, " +
        "sandbox-uma-domain uma.a.test\n" +
        "            revision 2026-08\n" +
        "            rate-limit 10/s\n",
    );
  });

  test("by a config file, and it is kept when the file is gone", async () => {
    const config = place().file("service-sim.config.json");
    const lists = { oidcIssuer: "https://a.test,https://b.test", sandboxUmaDomain: "uma.a.test" };
    writeFileSync(config, JSON.stringify({ ...SAID, ...lists }));
    await (await place().start()).stop();
    rmSync(config);
    await place().start();
    expect(await settings()).toMatchObject(IN_FORCE);
  });

  test("by exec, for its own simulator", async () => {
    const status = `fetch(process.env.SERVICE_SIM_URL + "/_sim/status").then(async (reply) =>
      console.log(await reply.text()))`;
    const words = ["exec", ...FLAGS.split(" "), "--", process.execPath, "-e", status];
    expect(JSON.parse((await place().run(words)).stdout).settings).toMatchObject(IN_FORCE);
  });

  test("--auto-approve is --approvals approve, and two that differ are wrong usage", async () => {
    const first = await place().start("--auto-approve --approvals approve");
    expect(await settings()).toMatchObject({ approvals: "approve" });
    await first.stop();
    await place().start("--approvals ask");
    expect(await settings()).toMatchObject({ approvals: "ask" });
    const both = await place().run("start --auto-reject --approvals ask --storage memory:");
    expect(both).toMatchObject({ code: 2 });
    expect(both.stderr).toContain("--auto-reject cannot be used with --approvals");
  });
});

test("the same seed gives exec the same credentials", async () => {
  const print = "exec --seed 7 -- printenv SERVICE_SIM_CLIENT_SECRET";
  expect((await place().run(print)).stdout).toBe("sk_sim_BiwmwUrdoR90ffGf\n");
});

test("SERVICE_SIM_FRESH and fresh of a config file are --fresh", async () => {
  await (await place().start("--seed 7")).stop();
  await (await place().start("--seed 8", { env: { SERVICE_SIM_FRESH: "1" } })).stop();
  expect(existsSync(place().file(".service-sim", "old-1"))).toBe(true);
  writeFileSync(place().file("service-sim.config.json"), JSON.stringify({ fresh: true }));
  await place().start("--seed 9");
  expect(existsSync(place().file(".service-sim", "old-2"))).toBe(true);
});

test("credentials that come from the seed are warned of beyond loopback", async () => {
  const first = await place().start("--seed 7");
  await first.stop();
  const second = await place().start("--host 0.0.0.0");
  expect(second.ready.clientSecret).toBe(first.ready.clientSecret);
  await second.stop();
  expect(second.started.errors).toContain(
    "note   warning: the client secret and the webhook key and the token issuer's key are derived " +
      "from the seed: anyone who reaches this address can guess them; start with --client-secret and " +
      "run service-sim keys rotate and start a new world there with --fresh\n",
  );
  const anew = await place().start("--fresh --seed 7 --host 0.0.0.0");
  expect(anew.ready.clientSecret).not.toBe(first.ready.clientSecret);
  await anew.stop();
  expect(anew.started.errors).not.toContain("warning");
});
