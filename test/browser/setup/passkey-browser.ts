import { existsSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, CDPSession, Page } from "playwright-core";
import { inject } from "vitest";
import type { Assertion, Attestation } from "../../../src/crypto/webauthn.ts";

/** Debian's Chromium, unless the environment names another one. */
export const CHROMIUM = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";

export const hasChromium = () => existsSync(CHROMIUM);

/** Reports a missing browser where everybody sees it. */
export const sayIfSkipped = () => {
  if (hasChromium()) return;
  process.stderr.write(
    `\n!!! SKIPPED: passkeys in a real browser, since there is no Chromium at ${CHROMIUM}\n` +
      "!!! apt-get install chromium, or name one in CHROMIUM_PATH\n\n",
  );
};

/** Starts it headless, without calls of its own. */
export const CHROMIUM_OPTIONS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

let running: Promise<Browser> | undefined;

const launch = async () => {
  const { chromium } = await import("playwright-core");
  const { TMPDIR } = process.env;
  // It ends with the worker, to whose pipe it listens, and its profile with the folder of the run.
  process.env.TMPDIR = inject("sharedFolder");
  try {
    return await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_OPTIONS });
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
};

/**
 * The Chromium of this worker, for all of its files: each opens pages and contexts of its own, and
 * closes them.
 */
export const chromiumHere = (): Promise<Browser> => {
  running ??= launch();
  return running;
};

/** Wall time for an act in a page, milliseconds; only a hanging browser meets it. */
export const LONGEST_ACT_MS = 110_000;

/** A virtual authenticator of Chromium's devtools. */
export interface VirtualAuthenticator {
  protocol: "ctap2" | "u2f";
  /** Whether the user is verified (UV), as with a fingerprint. */
  isUserVerified: boolean;
}

/** Options of a registration on the page. */
export interface Registration {
  challenge: string;
  /** COSE number. */
  algorithm: number;
  attestation: "none" | "direct";
  rpId?: string;
}

/** The page of an integrator, in a real browser with an authenticator that needs no touch. */
export class PasskeyBrowser {
  readonly version: string;
  private readonly page: Page;
  private readonly devtools: CDPSession;
  private readonly server: Server;
  private authenticatorId: string | undefined;

  private constructor(parts: {
    browser: Browser;
    page: Page;
    devtools: CDPSession;
    server: Server;
  }) {
    this.page = parts.page;
    this.devtools = parts.devtools;
    this.server = parts.server;
    this.version = parts.browser.version();
  }

  static async open(): Promise<PasskeyBrowser> {
    const html = readFileSync(new URL("passkey-page.html", import.meta.url));
    const server = createServer((_request, response) => {
      response.setHeader("content-type", "text/html; charset=utf-8");
      response.end(html);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const browser = await chromiumHere();
    const page = await browser.newPage();
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("WebAuthn.enable");
    return new PasskeyBrowser({ browser, page, devtools, server });
  }

  /** Opens the page at a host that leads to this machine: `localhost` or a host below it. */
  async visit(host = "localhost") {
    const { port } = this.server.address() as AddressInfo;
    await this.page.goto(`http://${host}:${port}/`);
  }

  /** Plugs in a new authenticator in place of the one before. */
  async plugIn({ protocol, isUserVerified }: VirtualAuthenticator) {
    await this.unplug();
    const { authenticatorId } = await this.devtools.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol,
        transport: "usb",
        hasResidentKey: protocol === "ctap2",
        hasUserVerification: isUserVerified,
        isUserVerified,
        automaticPresenceSimulation: true,
      },
    });
    this.authenticatorId = authenticatorId;
  }

  register(registration: Registration): Promise<Attestation> {
    return this.page.evaluate(`register(${JSON.stringify(registration)})`);
  }

  signIn(request: { challenge: string; credentialId: string; rpId?: string }): Promise<Assertion> {
    return this.page.evaluate(`signIn(${JSON.stringify(request)})`);
  }

  async close() {
    await this.page.close();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async unplug() {
    const { authenticatorId } = this;
    if (authenticatorId === undefined) return;
    await this.devtools.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId });
  }
}
