import { expect, test } from "vitest";
import { formatOperations } from "../../../src/cli/commands/operations.ts";
import { OPERATIONS } from "../../../src/contract/operations.ts";
import { documentOf } from "../../setup/cli.ts";
import { runInProcess } from "../setup/in-process.ts";
import { benchPerTest } from "../setup/place-per-test.ts";
import { styleOn } from "../setup/styles.ts";

const place = benchPerTest();

test("operations are printed in columns, with what the letters mean", async () => {
  const rows = [
    { method: "GET", path: "/config", operationId: "getConfig", auth: "B", permission: "VIEW" },
    {
      method: "PATCH",
      path: "/cards/{id}",
      operationId: "patchCard",
      auth: "BS",
      permission: "MANAGE",
    },
    { method: "GET", path: "/agents/me", operationId: "agentGetMe", auth: "T", permission: "any" },
  ] as const;
  expect(formatOperations(rows, await styleOn(true))).toEqual([
    "METHOD  PATH         AUTH  PERMISSION  ID",
    "GET     /config      B     VIEW        getConfig",
    "PATCH   /cards/{id}  BS    MANAGE      patchCard",
    "GET     /agents/me   T     any         agentGetMe",
    "",
    "B     HTTP Basic, an API token with that permission; any permission is enough for VIEW",
    "BS    HTTP Basic; wallet operations need a second, signed call",
    "T     Bearer, an agent's access token; its policy must hold that permission",
    "none  none: the code in the path is enough",
    "",
    "sim.call and service-sim api take the id",
  ]);
});

test("operations --json is the whole table, without a simulator", async () => {
  const ended = await place().run("operations --json");
  expect(ended.code).toBe(0);
  expect(documentOf(ended)).toEqual({ data: OPERATIONS });
  expect(documentOf(ended).data).toContainEqual({
    method: "DELETE",
    path: "/tokens/{tokenId}",
    operationId: "deleteToken",
    auth: "B",
    permission: "MANAGE",
  });
});

test("operations prints one line each below its head", async () => {
  const { code, stdout, stderr } = await place().run("operations");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const [head = "", ...lines] = stdout.split("\n");
  expect(head).toMatch(/^METHOD +PATH +AUTH +PERMISSION +ID$/);
  expect(lines.indexOf("")).toBe(103);
  expect(lines).toContainEqual(
    expect.stringMatching(
      /^POST +\/agents\/device-codes\/\{code\}\/redeem +none +none +redeemDeviceCode$/,
    ),
  );
});

test("operations with a name shows that one, or all with the word in them", async () => {
  const one = await runInProcess(["operations", "execute-quote"]);
  expect(one).toEqual({
    code: 0,
    stdout:
      "executeQuote  POST /quotes/{quoteId}/execute\n" +
      "auth          HTTP Basic; wallet operations need a second, signed call\n" +
      "permission    TRANSACT\n" +
      "call it       service-sim api executeQuote\n" +
      "read on       service-sim docs executeQuote\n",
    stderr: "",
  });
  const several = await runInProcess(["operations", "/transfer-in", "--json"]);
  const ids = JSON.parse(several.stdout).data.map(
    ({ operationId }: { operationId: string }) => operationId,
  );
  expect(ids).toEqual(["transferIn", "agentTransferIn"]);
});

test.each([
  { word: "createQuoet", next: "service-sim operations createQuote" },
  { word: "/quotse", next: "service-sim operations /quotes" },
  { word: "zzzzzz", next: "service-sim operations    lists them" },
])("operations $word is refused with what was close", async ({ word, next }) => {
  const { code, stderr } = await runInProcess(["operations", word]);
  expect(code).toBe(2);
  expect(stderr).toMatch(`error  no operation "${word}"\nnext   ${next}\n`);
});
