import { expect, test } from "vitest";
import { documentOf } from "../setup/cli.ts";
import { placePerTest } from "./place-per-test.ts";

const place = placePerTest();

const expected = async () => {
  const { ready, control } = await place().start();
  return {
    SERVICE_SIM_URL: `http://127.0.0.1:${ready.port}`,
    SERVICE_SIM_API_URL: ready.apiUrl,
    SERVICE_SIM_CLIENT_ID: "sandbox",
    SERVICE_SIM_CLIENT_SECRET: ready.clientSecret,
    SERVICE_SIM_WEBHOOK_PUBLIC_KEY: (await control("GET", "/webhooks/key")).body,
  };
};

test("a shell that evaluates it has all that a program needs", async () => {
  const environment = await expected();
  const print = `"${process.execPath}" -p 'JSON.stringify(process.env)'`;
  const { code, stdout } = await place().shell(`eval "$(service-sim env)"; ${print}`);
  expect(code).toBe(0);
  const set = Object.entries(JSON.parse(stdout));
  const ours = set.filter(([name]) => name.startsWith("SERVICE_SIM_"));
  expect(Object.fromEntries(ours)).toEqual(environment);
});

test("--json prints the same as one document", async () => {
  const environment = await expected();
  expect(documentOf(await place().run("env --json"))).toEqual(environment);
});

test("in another folder it says where to run, since secrets are not given out", async () => {
  const { SERVICE_SIM_URL: url } = await expected();
  const { code, stdout, stderr } = await place().run(`env --url ${url}`, { folder: "other" });
  expect({ code, stdout, stderr }).toEqual({
    code: 1,
    stdout: "",
    stderr:
      `error  Expected instance.json of ${url} in this folder but found none; ` +
      "credentials are not given out over HTTP\n" +
      "next   run it in the folder where service-sim start runs\n",
  });
});
