import { expect, test } from "vitest";
import type { Parsed } from "../../setup/test-simulator.ts";
import { benchPerTest } from "../setup/place-per-test.ts";

const place = benchPerTest();

const MANUAL = "--clock manual --seed 7";

const jsonOf = ({ stdout }: { stdout: string }) => JSON.parse(stdout);

/** A process that is killed, with a customer that its calls made. */
const createdAndKilled = async () => {
  const killed = await place().startProcess(MANUAL);
  const created = await killed.call("POST", "/customers", { customerType: "INDIVIDUAL" });
  expect(created.status).toBe(201);
  await killed.stop("SIGKILL");
  return created.body.id as string;
};

test("kill -9 costs the calls since the last clean stop; why tells what is known of them", async () => {
  const first = await place().start(MANUAL);
  const kept = await first.call("POST", "/customers", { customerType: "INDIVIDUAL" });
  const { code } = await first.stop();
  expect({ code, status: kept.status }).toEqual({ code: 0, status: 201 });
  const lostId = await createdAndKilled();

  await place().start(MANUAL);
  const listed: Parsed = jsonOf(await place().run("requests --json"));
  const ids = listed.data.map(({ id, path }: Parsed) => `${id} ${path}`);
  expect(ids).toEqual(["req-1-1 /customers"]);
  const whyKept = jsonOf(await place().run(`why ${kept.body.id} --json`));
  expect(whyKept.chain[0].because).toMatchObject({ id: "req-1-1", path: "/customers" });
  const whyLost = jsonOf(await place().run(`why ${lostId} --json`));
  expect(whyLost.chain[0].because).toEqual({
    kind: "request",
    id: "req-2-1",
    operation: "createCustomer",
    method: "POST",
    path: "/customers",
    ends: "the request is no longer in the log",
  });
});
