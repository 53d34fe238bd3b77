import type { Browser, CDPSession } from "playwright-core";

/** Tries to reach the page before it has come to its address; each waits a moment. */
const MAX_TRIES = 500;

/**
 * Evaluates a promise in a page. The page's session is not enabled for anything: a browser that
 * reports requests or scripts parses the scripts again for the places of their calls, and the page
 * takes an eighth longer.
 */
const evaluated = (root: CDPSession, sessionId: string, expression: string) =>
  new Promise<number>((done) => {
    const onMessage = (event: { sessionId: string; message: string }) => {
      if (event.sessionId !== sessionId) return;
      root.off("Target.receivedMessageFromTarget", onMessage);
      done(Number(JSON.parse(event.message).result?.result?.value));
    };
    root.on("Target.receivedMessageFromTarget", onMessage);
    const params = { expression, awaitPromise: true, returnByValue: true };
    const message = JSON.stringify({ id: 1, method: "Runtime.evaluate", params });
    void root.send("Target.sendMessageToTarget", { sessionId, message });
  });

/**
 * Opens an address in a fresh context that no tool watches, and evaluates a promise in it.
 * @param expression resolves to a number above zero; a page that is not there yet gives another
 */
export const inUnwatchedPage = async (browser: Browser, url: string, expression: string) => {
  const root = await browser.newBrowserCDPSession();
  const { browserContextId } = await root.send("Target.createBrowserContext");
  try {
    const page = { url, browserContextId, width: 1280, height: 900 };
    const { targetId } = await root.send("Target.createTarget", page);
    const attached = { targetId, flatten: false };
    const { sessionId } = await root.send("Target.attachToTarget", attached);
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const value = await evaluated(root, sessionId, expression);
      if (value > 0) return value;
    }
    throw new Error(`The page at ${url} gave no figure`);
  } finally {
    await root.send("Target.disposeBrowserContext", { browserContextId });
    await root.detach();
  }
};
