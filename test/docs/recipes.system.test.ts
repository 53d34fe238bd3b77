import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { placePerTest } from "../cli/setup/place-per-test.ts";
import { blockWith as blockOf, textOfPage } from "./setup/doc-blocks.ts";

const place = placePerTest();

const PAGE = "src/docs/guide/recipes.md";

const blockWith = (text: string) => blockOf(PAGE, text);

const { load } = createRequire(import.meta.url)("js-yaml") as { load: (text: string) => unknown };

test("there is a recipe for each way to use it", () => {
  const names = [...textOfPage(PAGE).matchAll(/^## (.+)$/gm)].map(([, name]) => name);
  expect(names).toEqual([
    "Beside the program you write",
    "vitest",
    "Playwright",
    "Parallel shards",
    "GitHub Actions",
    "docker compose",
  ]);
});

test("local integration runs as printed", async () => {
  const { code, stdout, stderr } = await place().shell(
    // What npx runs is the built program; the other recipes run in `recipes.apart.test.ts`.
    `npx() { "$@"; }\n${blockWith("--fixture payouts-demo")}`,
    { env: { SERVICE_SIM_PORT: "0" } },
  );
  expect(code, stderr).toBe(0);
  expect(stdout).toContain('"customerType":"INDIVIDUAL"');
  expect(stdout).toContain("back at fixture payouts-demo");
  expect(stdout).toContain("stopped pid");
});

interface Workflow {
  jobs: { e2e: { steps: { uses?: string; with?: Record<string, unknown> }[] } };
}

test("the workflow gives the action inputs that it has", () => {
  const { jobs } = load(blockWith("runs-on:")) as Workflow;
  const step = jobs.e2e.steps.find(({ uses }) => uses?.includes("/service-sim@"));
  const { inputs } = load(readFileSync("action.yml", "utf8")) as { inputs: object };
  const given = Object.keys(step?.with ?? {});
  expect(given.length).toBeGreaterThan(0);
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(given));
});

interface Compose {
  services: Record<
    "service-sim" | "shop",
    { volumes: string[]; ports: string[]; environment: Record<string, string> }
  >;
}

test("the simulator of the compose file starts with its variables, as the shop expects it", async () => {
  const { services } = load(blockWith("depends_on:")) as Compose;
  const { volumes, ports, environment } = services["service-sim"];
  expect(volumes).toEqual(["service-sim:/data"]);
  expect(ports).toEqual(["127.0.0.1:4747:4747"]);
  const running = await place().start("--host 0.0.0.0", { env: environment });
  const shop = services.shop.environment;
  const { clientId, clientSecret, apiUrl } = running.ready;
  expect(shop).toEqual({
    SERVICE_SIM_API_URL: `http://service-sim:4747${new URL(apiUrl).pathname}`,
    SERVICE_SIM_CLIENT_ID: clientId,
    SERVICE_SIM_CLIENT_SECRET: clientSecret,
  });
  const { body } = await running.call("GET", "/config");
  expect(body.webhookEndpoint).toBe("http://shop:3000/hooks");
});
