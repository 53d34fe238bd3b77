import { writeFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { placePerTest } from "../cli/setup/place-per-test.ts";
import { Receiver } from "../setup/receiver.ts";

const place = placePerTest();

// spec/brand.md#words
test("trigger --set, show, resend and doctor speak the brand, over the same bytes", async () => {
  const receiver = await new Receiver().start();
  onTestFinished(() => receiver.stop());
  await place().start(`--brand acme --clock manual --webhook-endpoint ${receiver.url}`);
  const set = "data.rateDetails.acmeApiFixedFee=7";
  const sent = await place().run(`webhooks trigger OUTGOING_PAYMENT.COMPLETED --set ${set} --json`);
  expect(sent.code).toBe(0);
  const { id } = JSON.parse(sent.stdout);
  expect((await place().run(`webhooks resend ${id}`)).code).toBe(0);

  const [first, again] = receiver.received;
  const header = first?.signature;
  expect(first?.header).toBe("x-acme-signature");
  expect(again?.body).toBe(first?.body);
  expect(again?.signature).toBe(header);
  expect(first?.body).toContain('"acmeApiFixedFee":7,');
  expect(first?.body).not.toContain("serviceApi");
  expect((await place().run(`webhooks show ${id} --body`)).stdout.trimEnd()).toBe(first?.body);

  const doctor = (body = "", given = `X-Acme-Signature: ${header}`) => {
    writeFileSync(place().file("got.json"), body);
    return place().run(["webhooks", "doctor", "--body", "got.json", "--header", given]);
  };
  expect(await doctor(first?.body)).toMatchObject({ code: 0 });
  expect(await doctor(first?.body, `${header}`)).toMatchObject({ code: 0 });
  const stored = first?.body.replaceAll("acmeApi", "serviceApi");
  expect(await doctor(stored)).toMatchObject({ code: 1 });
});
