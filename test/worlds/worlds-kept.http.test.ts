import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startTestSimulator } from "../setup/test-simulator.ts";

const storageFor = () => {
  const directory = mkdtempSync(join(tmpdir(), "worlds-kept-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return { directory, storage: `file:${directory}` as const };
};

const authorizationOf = (user: string, secret: string) => ({
  authorization: `Basic ${btoa(`${user}:${secret}`)}`,
});

test("worlds on file storage are there again after a restart, with what was made in them", async () => {
  const { directory, storage } = storageFor();
  const first = await startTestSimulator({ storage });
  const made = await first.control("POST", "/worlds", { name: "kept" });
  expect(made.status).toBe(201);
  await first.control("POST", "/worlds", { name: "removed" });
  await first.control("POST", "/worlds", { name: "broken" });
  const { clientId, clientSecret, apiUrl } = first.sim;
  const headers = {
    ...authorizationOf(`${clientId}+kept`, clientSecret),
    "content-type": "application/json",
  };
  const created = await first.sim.fetch(
    new Request(`${apiUrl}/customers`, {
      method: "POST",
      headers,
      body: JSON.stringify({ customerType: "INDIVIDUAL" }),
    }),
  );
  expect(created.status).toBe(201);
  const { id } = (await created.json()) as { id: string };
  expect((await first.control("DELETE", "/worlds/removed")).status).toBe(204);
  await first.sim.close();
  const file = join(directory, "worlds", "broken", "world.json");
  writeFileSync(file, readFileSync(file).subarray(1));

  const alarms: string[] = [];
  const again = await startTestSimulator({ storage, onAlarm: (text) => alarms.push(text) });
  const listed = await again.control("GET", "/worlds");
  expect(listed.body.data.map(({ name }: { name: string }) => name)).toEqual(["sandbox", "kept"]);
  expect(listed.body.damaged).toEqual([{ name: "broken", found: expect.stringContaining(file) }]);
  const url = `${again.sim.apiUrl}/customers/${id}`;
  const seen = await again.sim.fetch(new Request(url, { headers }));
  expect(seen.status).toBe(200);
  expect((await again.call("GET", `/customers/${id}`)).status).toBe(404);
  expect(alarms).toEqual([expect.stringContaining(`the world broken is damaged: `)]);
  expect(alarms[0]).toContain(file);
  const refused = await again.control("POST", "/worlds", { name: "broken" });
  expect(refused.status).toBe(503);
  await again.sim.close();
});

test("a reset of a kept world brings back its beginning, also after a restart", async () => {
  const { storage } = storageFor();
  const first = await startTestSimulator({ storage });
  await first.call("POST", "/customers", { customerType: "INDIVIDUAL" });
  await first.control("POST", "/worlds", { name: "kept" });
  await first.sim.close();
  const again = await startTestSimulator({ storage });
  const before = await again.control("GET", "/worlds");
  const { clientId, clientSecret, apiUrl } = again.sim;
  const headers = {
    ...authorizationOf(`${clientId}+kept`, clientSecret),
    "content-type": "application/json",
  };
  const body = JSON.stringify({ customerType: "INDIVIDUAL" });
  const request = new Request(`${apiUrl}/customers`, { method: "POST", headers, body });
  expect((await again.sim.fetch(request)).status).toBe(201);
  expect((await again.control("POST", "/reset?world=kept", {})).status).toBeLessThan(300);
  const after = await again.control("GET", "/worlds");
  expect(after.body.data[1].records).toBe(before.body.data[1].records);
  await again.sim.close();
});
