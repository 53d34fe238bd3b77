import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createPayee, createPayer, type Payer, quoteInput } from "../../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { runInProcess } from "../setup/in-process.ts";

let world: TestSimulator;
let url: string;
let payer: Payer;
let quoteId: string;
let folder: string;

beforeAll(async () => {
  world = await startTestSimulator();
  ({ url } = await world.sim.listen());
  payer = await createPayer(world);
  const payee = await createPayee(world, payer.customerId, "003");
  quoteId = (await world.call("POST", "/quotes", quoteInput(payer.accountId, payee))).body.id;
  folder = mkdtempSync(join(tmpdir(), "service-sim-api-"));
});

beforeEach(() => {
  vi.stubEnv("SERVICE_SIM_CLIENT_ID", world.sim.clientId);
  vi.stubEnv("SERVICE_SIM_CLIENT_SECRET", world.sim.clientSecret);
  return () => vi.unstubAllEnvs();
});

afterAll(async () => {
  await world.sim.close();
  rmSync(folder, { recursive: true });
});

const api = (...args: string[]) => runInProcess(["api", ...args, "--url", url]);

const tail = (id: string) => `…${id.slice(-6)}`;

/** Prints as to a terminal. */
const onTerminal = async (...args: string[]) => {
  const before = Object.getOwnPropertyDescriptor(process.stdout, "isTTY");
  Object.defineProperty(process.stdout, "isTTY", { value: true, configurable: true });
  try {
    return await api(...args);
  } finally {
    if (before) Object.defineProperty(process.stdout, "isTTY", before);
    else Reflect.deleteProperty(process.stdout, "isTTY");
  }
};

/** The newest call of the platform. */
const lastCall = async () => (await world.control("GET", "/requests?limit=1")).body.data[0];

describe("a call", () => {
  test.each([{ fault: { dropResponse: true } }, { fault: { closeSocket: true } }])(
    "whose answer is lost is not told as a missing simulator: $fault",
    async ({ fault }) => {
      await world.control("POST", "/faults", {
        match: { times: 1, operation: "getConfig" },
        fault,
      });
      expect(await api("GET", "/config")).toEqual({
        code: 3,
        stdout: "",
        stderr:
          `error  the connection was closed before an answer came (${url}: socket hang up)\n` +
          "next   service-sim requests    shows whether the call arrived\n",
      });
    },
  );

  test("sends fields as JSON and prints the body as it came", async () => {
    const { code, stdout, stderr } = await api(
      "POST",
      "/customers",
      "customerType=INDIVIDUAL",
      "fullName=Ada Byron",
      "address.line1=Main 1",
      "address.postalCode=69003",
      "address.country=FR",
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const customer = JSON.parse(stdout);
    expect(customer).toMatchObject({
      fullName: "Ada Byron",
      address: { line1: "Main 1", country: "FR" },
    });
    const { body } = await world.call("GET", `/customers/${customer.id}`);
    expect(stdout).toBe(JSON.stringify(body));
  });

  test.each([
    ["GET", "/config"],
    ["get", "config"],
    ["GET", "/2025-10-13/config"],
    ["/config"],
    ["config"],
    ["getConfig"],
    ["get-config"],
  ])("%s %s reads the configuration", async (...words) => {
    const { code, stdout } = await api(...words.filter((word) => word !== undefined));
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ umaDomain: "pay.sandbox.test" });
  });

  test("takes a whole address of the simulator, not one of another", async () => {
    expect(await api("GET", `${url}/2025-10-13/config`)).toMatchObject({ code: 0 });
    expect(await api("GET", "http://127.0.0.1:1/config")).toEqual({
      code: 2,
      stdout: "",
      stderr:
        `error  Expected a path of ${url} but found http://127.0.0.1:1\n` +
        "next   service-sim api GET /config --url http://127.0.0.1:1\n",
    });
  });

  test.each([["limit=1"], ["limit==1"], ["limit:=1"]])(
    "GET /customers %s limits the list",
    async (field) => {
      await world.call("POST", "/customers", { customerType: "INDIVIDUAL" });
      const { stdout } = await api("GET", "/customers", field);
      expect(JSON.parse(stdout).data).toHaveLength(1);
    },
  );

  test.each([["quoteId"], ["…"], ["..."], ["Quote:…"], [""]])(
    "resolves short ids: %s",
    async (form) => {
      const end = quoteId.slice(-6);
      const words =
        form === "quoteId" ? ["getQuote", `quoteId=${end}`] : ["GET", `/quotes/${form}${end}`];
      const { code, stdout } = await api(...words);
      expect({ code, id: JSON.parse(stdout).id }).toEqual({ code: 0, id: quoteId });
    },
  );

  test("resolves short ids of fields", async () => {
    const query = `customerId=${tail(payer.customerId)}`;
    const { stdout } = await api("GET", "/customers/internal-accounts", query, "currency=USD");
    expect(JSON.parse(stdout).data[0].id).toBe(payer.accountId);
  });

  test("sends JSON values with :=", async () => {
    const path = `/sandbox/internal-accounts/${tail(payer.accountId)}/fund`;
    const { code, stdout } = await api("POST", path, "amount:=1234");
    expect({ code, id: JSON.parse(stdout).id }).toEqual({ code: 0, id: payer.accountId });
  });

  test("takes its body from --data, also from a file", async () => {
    const file = join(folder, "customer.json");
    writeFileSync(file, '{"customerType":"INDIVIDUAL","fullName":"From a file"}');
    const fromFile = await api("POST", "/customers", "--data", `@${file}`);
    expect(JSON.parse(fromFile.stdout)).toMatchObject({ fullName: "From a file" });
    const given = await api("createCustomer", "--data", '{"customerType":"INDIVIDUAL"}', "--quiet");
    expect(given.stdout).toMatch(/^Customer:[0-9a-f-]{36}\n$/);
  });

  test("uploads a file", async () => {
    const file = join(folder, "customers.csv");
    writeFileSync(file, "x");
    const { code, stdout } = await api("POST", "/customers/bulk/csv", `file@${file}`);
    expect({ code, body: JSON.parse(stdout) }).toMatchObject({
      code: 0,
      body: { jobId: expect.stringMatching(/^Job:/), status: "PENDING" },
    });
  });

  test("sends headers and an idempotency key", async () => {
    const words = [
      "executeQuote",
      quoteId,
      "-H",
      "user-agent: my-test",
      "--idempotency-key",
      "key-1",
    ];
    const first = await api(...words);
    const again = await api(...words);
    expect(first.code).toBe(0);
    expect(again).toEqual(first);
    expect(await lastCall()).toMatchObject({ operation: "executeQuote", replay: {} });
  });

  test("signs in with the header that is given instead", async () => {
    const { code, stdout } = await api("GET", "/agents/me", "-H", "authorization: Bearer none");
    expect({ code, status: JSON.parse(stdout).status }).toEqual({ code: 1, status: 401 });
  });
});

describe("the answer", () => {
  test("is pretty on a terminal", async () => {
    const { stdout } = await onTerminal("GET", "/customers", "limit=1", "--color", "never");
    const { stdout: raw } = await api("GET", "/customers", "limit=1");
    expect(stdout).toBe(`${JSON.stringify(JSON.parse(raw), null, 2)}\n`);
  });

  test("is colored where colors are on", async () => {
    const { stdout } = await api("GET", `/quotes/${quoteId}`, "--color", "always");
    expect(stdout).toContain(`\u001b[36m"id"\u001b[39m: \u001b[32m"${quoteId}"\u001b[39m`);
  });

  test("has its status and headers with -i", async () => {
    const { stdout } = await api("GET", "/config", "-i");
    const [head = "", body = ""] = stdout.split("\n\n");
    expect(head.split("\n")[0]).toBe("HTTP/1.1 200 OK");
    expect(head).toMatch(/^content-type: application\/json$/m);
    expect(JSON.parse(body)).toHaveProperty("umaDomain");
  });

  test("is one document with --json, with status and headers with -i", async () => {
    const plain = await api("GET", `/quotes/${quoteId}`, "--json");
    expect(JSON.parse(plain.stdout)).toMatchObject({ id: quoteId });
    expect(plain.stdout.split("\n")).toHaveLength(2);
    const whole = JSON.parse((await api("GET", `/quotes/${quoteId}`, "--json", "-i")).stdout);
    expect(whole).toMatchObject({
      status: 200,
      headers: { "content-type": "application/json" },
      body: { id: quoteId },
    });
  });

  test("is the id alone with --quiet, or the ids of a list", async () => {
    expect((await api("GET", `/quotes/${quoteId}`, "--quiet")).stdout).toBe(`${quoteId}\n`);
    const query = [`customerId=${payer.customerId}`, "currency=USD"];
    const { stdout } = await api("GET", "/customers/internal-accounts", ...query, "--quiet");
    expect(stdout).toBe(`${payer.accountId}\n`);
  });

  test("is one member with --pick", async () => {
    const pick = (path: string) => api("GET", "/customers/internal-accounts", "--pick", path);
    expect((await pick("data[0].balance.currency.code")).stdout).toMatch(/^[A-Z]+\n$/);
    expect((await pick("hasMore")).stdout).toMatch(/^(true|false)\n$/);
    expect(await pick("data[0].nothing")).toEqual({
      code: 1,
      stdout: "",
      stderr: "error  the answer has no data[0].nothing\n",
    });
  });
});

describe("a refusal", () => {
  test("prints the body and exits 1, with the operation that was close", async () => {
    const { code, stdout, stderr } = await api("GET", "/custmers");
    expect({ code, status: JSON.parse(stdout).status }).toEqual({ code: 1, status: 404 });
    expect(stderr).toBe(
      "error  404 REFERENCE_NOT_FOUND: There is no operation GET /2025-10-13/custmers. " +
        "The closest one is GET /2025-10-13/customers\nnext   service-sim api GET /customers\n",
    );
  });

  test("says how to send a number", async () => {
    const path = `/sandbox/internal-accounts/${payer.accountId}/fund`;
    const { code, stderr } = await api("POST", path, "amount=250000");
    expect(code).toBe(1);
    expect(stderr).toContain(
      'error  400 INVALID_INPUT: Expected a number in amount but found "250000"',
    );
    expect(stderr).toContain("next   amount:=250000    sends JSON; = sends text\n");
  });

  test("stays one document with --json", async () => {
    const { code, stdout } = await api("GET", "/custmers", "--json");
    expect({ exit: code, ...JSON.parse(stdout) }).toMatchObject({ exit: 1, status: 404 });
  });

  test("of an unknown short id changes nothing and exits 1", async () => {
    const { code, stdout, stderr } = await api("GET", "/quotes/…0000aa");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("Expected an id of world sandbox but found none ending in 0000aa");
  });

  test.each([
    {
      words: ["createCustomr"],
      sentence: 'no method or operation "createCustomr"',
      next: "service-sim api createCustomer",
    },
    {
      words: ["GTE", "/config"],
      sentence: 'no method or operation "GTE"',
      next: "service-sim api GET",
    },
    {
      words: ["zzzzzzzz"],
      sentence: 'no method or operation "zzzzzzzz"',
      next: "service-sim operations    lists them",
    },
    { words: ["GET"], sentence: "say which path to GET", next: "service-sim api GET /customers" },
    {
      words: ["executeQuote"],
      sentence: "give the quoteId of executeQuote",
      next: "service-sim api executeQuote quoteId=…    a short id such as …8e4b17 is enough",
    },
    {
      words: ["GET", "/customers", "limit:5"],
      sentence: 'Expected a field like name=value but found "limit:5"',
      next: "service-sim api … -H 'limit:5'    sends a header",
    },
    {
      words: ["GET", "/_sim/status"],
      sentence: "Expected a path of the platform but found one of the control surface",
      next: "service-sim reference    lists the control calls and the commands for them",
    },
    {
      words: ["POST", "/customers", "a=1", "--data", "{}"],
      sentence: "use only one of --data and the field a",
      next: "a==1    adds it to the query",
    },
    {
      words: ["POST", "/customers", "--data", "@nosuch.json"],
      sentence: "--data: cannot read nosuch.json: no such file",
      next: "service-sim api --help",
    },
    {
      words: ["GET", "/config", "-H", "nothing"],
      sentence: '--header: Expected a header like name: value but found "nothing"',
      next: "service-sim api --help",
    },
  ])("$words exits 2 before anything is sent", async ({ words, sentence, next }) => {
    const before = (await lastCall()).id;
    const { code, stdout, stderr } = await api(...words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`error  ${sentence}\nnext   ${next}\n`);
    expect((await lastCall()).id).toBe(before);
  });

  test("of a call without credentials says where they are", async () => {
    vi.stubEnv("SERVICE_SIM_CLIENT_SECRET", undefined);
    const { code, stderr } = await api("GET", "/config");
    expect(code).toBe(1);
    expect(stderr).toContain(`neither this folder nor the environment has credentials for ${url}`);
  });

  test("is exit 3 when nothing runs", async () => {
    const words = ["api", "GET", "/config", "--url", "http://127.0.0.1:9"];
    const { code, stderr } = await runInProcess(words);
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringContaining("no simulator is running (http://127.0.0.1:9"),
    });
  });
});
