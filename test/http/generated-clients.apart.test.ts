import { createRequire } from "node:module";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";
import { CLIENT_PROGRAM, TYPES_PROGRAM } from "./setup/client-programs.ts";
import { ClientFolder, HEY_API, NODE, OPENAPI_TYPESCRIPT, TSX } from "./setup/generators.ts";

const SURFACES = [
  { surface: "platform", path: "/openapi.json" },
  { surface: "control", path: "/control-openapi.json" },
] as const;

let world: TestSimulator;
const folder = new ClientFolder();

beforeAll(async () => {
  world = await startTestSimulator();
  await world.sim.listen();
  const { apiUrl, controlUrl, clientId, clientSecret } = world.sim;
  folder.env = {
    API_URL: apiUrl,
    CONTROL_URL: controlUrl,
    CREDENTIALS: `${clientId}:${clientSecret}`,
  };
  for (const { surface, path } of SURFACES) {
    const reply = await fetch(controlUrl + path);
    folder.write(`${surface}.json`, await reply.text());
    await folder.run(OPENAPI_TYPESCRIPT, `${surface}.json`, "--output", `${surface}.d.ts`);
    await folder.run(HEY_API, "--input", `${surface}.json`, "--output", surface, "--no-log-file");
  }
  folder.write("types-program.ts", TYPES_PROGRAM);
});

afterAll(async () => {
  await world?.sim.close();
  folder.remove();
});

interface Problem {
  ruleId: string;
  message: string;
}

/** The validator that openapi-typescript brings with it. */
const { createConfig, lintFromString } = createRequire(OPENAPI_TYPESCRIPT)(
  "@redocly/openapi-core",
) as {
  createConfig(config: object): Promise<object>;
  lintFromString(options: { source: string; config: object }): Promise<Problem[]>;
};

const problemsOf = async (source: string) => {
  const config = await createConfig({ extends: ["spec"] });
  return (await lintFromString({ source, config })).map(({ message }) => message);
};

test.each(SURFACES)("the document of the $surface surface is valid OpenAPI 3.1", async (one) => {
  const text = folder.read(`${one.surface}.json`);
  expect(await problemsOf(text)).toEqual([]);
  expect(await problemsOf(text.replace('"requestBody"', '"body"'))).not.toEqual([]);
});

test("openapi-typescript and @hey-api/openapi-ts make strict types of both documents", async () => {
  const types = SURFACES.map(({ surface }) => `${surface}/types.gen.ts`);
  const strict = { exactOptionalPropertyTypes: true, ...NODE };
  await folder.compile(["*.d.ts", "types-program.ts", ...types], strict);
});

test("a program on the types of openapi-typescript runs", async () => {
  expect(JSON.parse(await folder.run("--import", TSX, "types-program.ts"))).toEqual({
    name: "Analytical Engines",
    mode: "manual",
  });
});

test("a program on the clients of @hey-api/openapi-ts is strict, and pays", {
  timeout: 120_000,
}, async () => {
  folder.write("client-program.ts", CLIENT_PROGRAM);
  // The declarations of the compiler's own libraries were checked with the types.
  const options = { skipLibCheck: true, ...NODE };
  await folder.compile(["platform", "control", "client-program.ts"], options);
  expect(JSON.parse(await folder.run("--import", TSX, "client-program.ts"))).toEqual({
    source: true,
    fired: ["payment.settle"],
    refused: "CONFLICT",
    seen: expect.arrayContaining(["TEST", "OUTGOING_PAYMENT.PENDING", "25000 USD sent"]),
  });
});
