import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { formatInbox } from "../../../src/cli/commands/inbox.ts";
import { styleOn } from "../../cli/setup/styles.ts";
import { documentOf, type RunningCli, Workplace } from "../../setup/cli.ts";
import type { Answer, Parsed } from "../../setup/test-simulator.ts";
import { goTo } from "../setup/told.ts";
import { worldPerTest } from "../setup/world-per-test.ts";
import { WalletClient } from "./setup/wallet-client.ts";

describe("GET /_sim/inbox", () => {
  const world = worldPerTest();

  let ada: WalletClient;
  let grace: WalletClient;

  beforeEach(async () => {
    ada = await WalletClient.create(world(), { email: "ada@example.com" });
    grace = await WalletClient.create(world(), { email: "Grace@Example.com" });
  });

  const get = (path: string): Promise<Answer> => world().control("GET", path);

  const recipients = ({ body }: Answer) => body.data.map(({ to }: Parsed) => to);

  test("is newest first, for all addresses or for one in any case", async () => {
    expect((await get("/inbox")).body).toEqual({ data: [] });
    const id = await ada.addEmail("ada@example.com");
    await goTo(world(), "09:00:01.000");
    await grace.addEmail("Grace@Example.com");
    await goTo(world(), "09:00:02.000");
    await world().call("POST", `/auth/credentials/${id}/challenge`);
    const all = await get("/inbox");
    expect(recipients(all)).toEqual(["ada@example.com", "Grace@Example.com", "ada@example.com"]);
    expect(all.body.data.map(({ sentAt }: Parsed) => sentAt)).toEqual([
      "2026-01-05T09:00:02.000Z",
      "2026-01-05T09:00:01.000Z",
      "2026-01-05T09:00:00.000Z",
    ]);
    expect(recipients(await get("/inbox?to=grace@example.COM"))).toEqual(["Grace@Example.com"]);
    expect(recipients(await get("/inbox?to=nobody@example.com"))).toEqual([]);
    expect(recipients(await get("/inbox?to="))).toEqual([]);
  });

  // spec/inbox.md#waiting-for-mail
  test("wait: an existing mail is answered at once", async () => {
    await ada.addEmail("ada@example.com");
    const answer = await get("/inbox/wait?to=ada@example.com&timeoutMs=20000");
    expect([answer.status, recipients(answer)]).toEqual([200, ["ada@example.com"]]);
  });

  test("wait: a later mail is answered, but not one to another address", async () => {
    let isAnswered = false;
    const waiting = get("/inbox/wait?to=ada@example.com&timeoutMs=20000").then((answer) => {
      isAnswered = true;
      return answer;
    });
    await grace.addEmail("Grace@Example.com");
    await get("/inbox");
    expect(isAnswered).toBe(false);
    await ada.addEmail("ada@example.com");
    expect(recipients(await waiting)).toEqual(["ada@example.com"]);
  });

  test("wait: no mail is 404 with the address", async () => {
    await grace.addEmail("Grace@Example.com");
    const { status, body } = await get("/inbox/wait?to=ada@example.com&timeoutMs=1");
    expect([status, body.error.code]).toEqual([404, "MAIL_DID_NOT_COME"]);
    expect(JSON.stringify(body)).toContain("ada@example.com arrived within 1 ms");
    expect((await get("/inbox/wait?timeoutMs=0")).status).toBe(200);
  });

  test.each(["-1", "600001", "soon", "1.5"])("wait: %s ms is refused", async (timeoutMs) => {
    expect((await get(`/inbox/wait?timeoutMs=${timeoutMs}`)).status).toBe(400);
  });

  test("a reset empties it", async () => {
    await ada.addEmail("ada@example.com");
    await world().control("POST", "/reset");
    expect((await get("/inbox")).body.data).toEqual([]);
  });
});

test("its lines show one mail each, newest first, with the code's remaining time", async () => {
  const mail = {
    id: "Mail:1",
    to: "ada@example.com",
    code: "493021",
    subject: "Your sign-in code",
    text: "",
    sentAt: "2026-01-05T09:00:10.000Z",
    credentialId: "AuthMethod:1",
    expiresAt: "2026-01-05T09:05:10.000Z",
  };
  const older = { ...mail, to: "g@x.example", code: "AB12", expiresAt: "2026-01-05T09:00:30.000Z" };
  const style = await styleOn(true);
  const look = { now: "2026-01-05T09:00:30.000Z" };
  expect(formatInbox({ data: [mail, older] }, look, style)).toEqual([
    "SENT      TO               CODE    SUBJECT            VALID",
    "09:00:10  ada@example.com  493021  Your sign-in code  4m40s more",
    "09:00:10  g@x.example      AB12    Your sign-in code  expired",
  ]);
  expect(formatInbox({ data: [] }, look, style)).toEqual(["no email yet"]);
  expect(formatInbox({ data: [] }, { ...look, to: "bob@x.example" }, style)).toEqual([
    "no matching email",
  ]);
});

test("its lines say that mailed codes do not count in magic-only", async () => {
  const mail = {
    id: "Mail:1",
    to: "ada@example.com",
    code: "493021",
    subject: "Your sign-in code",
    text: "",
    sentAt: "2026-01-05T09:00:10.000Z",
    credentialId: "AuthMethod:1",
    expiresAt: "2026-01-05T09:05:10.000Z",
    neverValid: "--crypto magic-only accepts only 000000",
  };
  const style = await styleOn(true);
  expect(formatInbox({ data: [mail] }, { now: "2026-01-05T09:00:30.000Z" }, style)).toEqual([
    "SENT      TO               CODE    SUBJECT            VALID",
    "09:00:10  ada@example.com  493021  Your sign-in code  never",
    "these codes are not accepted: --crypto magic-only accepts only 000000",
  ]);
});

describe("service-sim inbox and service-sim oidc token", () => {
  const place = new Workplace();
  let cli: RunningCli;

  beforeAll(async () => {
    cli = await place.start("--storage memory: --clock manual --seed 7");
  });

  afterAll(() => place.close());

  const walletOf = async (email: string): Promise<string> => {
    const { body } = await cli.call("POST", "/customers", { customerType: "INDIVIDUAL", email });
    const query = `customerId=${body.id}&type=EMBEDDED_WALLET`;
    return (await cli.call("GET", `/customers/internal-accounts?${query}`)).body.data[0].id;
  };

  test("they print a code and a token that sign in", async () => {
    expect((await place.run("inbox", { folder: "." })).stdout).toBe("no email yet\n");
    const absent = await place.run("inbox --wait --to eve@example.com --timeout-ms 1");
    expect([absent.code, absent.stdout]).toEqual([1, ""]);

    const accountId = await walletOf("ada@example.com");
    const type = "EMAIL_OTP";
    const { body } = await cli.call("POST", "/auth/credentials", { type, accountId });
    const { data } = documentOf(await place.run("inbox --wait --to ada@example.com --json"));
    expect(data[0].credentialId).toBe(body.id);
    const shown = await place.run("inbox");
    expect(shown.stdout).toContain(data[0].code);

    const clientPublicKey =
      "04a8495231147679891ba77f36e53a318e1c0256cb7de1e9f38f06652b124adcdee1814e43e071f1823c51c4a2c352f256a694ee5ee76bdf760042e140a4dac7c3";
    const proof = { type, otp: data[0].code, clientPublicKey };
    const verified = await cli.call("POST", `/auth/credentials/${body.id}/verify`, proof);
    expect(verified.status).toBe(200);

    const other = await walletOf("grace@example.com");
    const first = await place.run("oidc token --email grace@example.com");
    expect(first.stdout).toMatch(/^eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+\n$/);
    const made = await cli.call("POST", "/auth/credentials", {
      type: "OAUTH",
      accountId: other,
      oidcToken: first.stdout.trim(),
    });
    expect(made.body.nickname).toBe("grace@example.com");
    const again = documentOf(
      await place.run("oidc token --email grace@example.com --nonce n --json"),
    );
    expect(again.claims).toMatchObject({ email: "grace@example.com", nonce: "n" });
    const oauth = { type: "OAUTH", oidcToken: again.token, clientPublicKey };
    const session = await cli.call("POST", `/auth/credentials/${made.body.id}/verify`, oauth);
    expect(session.status).toBe(200);
  }, 60_000);
});
