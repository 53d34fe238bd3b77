import { spawn } from "node:child_process";
import type { InstanceFile } from "../frame/instance-file.ts";
import type { Terminal } from "../text/terminal.ts";

/** Programs that open an address in the browser, by platform; elsewhere it is `xdg-open`. */
const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

const DESKTOP_OPENER = ["xdg-open"];
/** Linux within Windows has no desktop of its own: the browser is the one of Windows. */
const WSL_OPENER = ["cmd.exe", "/c", "start", ""];

const opener = () =>
  OPENERS[process.platform] ?? (process.env.WSL_DISTRO_NAME ? WSL_OPENER : DESKTOP_OPENER);

/** Exit codes of xdg-open that mean something to the person who waits for a page. */
const XDG_FAILURES: Readonly<Record<number, string>> = {
  3: "xdg-open found no browser",
  4: "xdg-open found no working browser",
};

const failureOf = (program: string, code: number | null) =>
  (program === "xdg-open" && XDG_FAILURES[code ?? 0]) ||
  `${program} ended with ${code ?? "a signal"}`;

/** A browser that stays in front keeps its opener running: after this time it counts as open. */
const OPENED_AFTER_MS = 3000;

/**
 * Opens an address in the browser, in a process of its own. Resolves with the reason when that
 * fails, and with nothing otherwise.
 */
export const openInBrowser = (url: string): Promise<string | undefined> => {
  const [program = "", ...args] = opener();
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url], { detached: true, stdio: "ignore" });
    const timer = setTimeout(() => resolve(undefined), OPENED_AFTER_MS);
    const done = (failure: string | undefined) => {
      clearTimeout(timer);
      resolve(failure);
    };
    child.once("error", ({ message }: NodeJS.ErrnoException) =>
      done(message.endsWith("ENOENT") ? `${program} is not installed` : message),
    );
    child.once("exit", (code) => done(code === 0 ? undefined : failureOf(program, code)));
    child.unref();
  });
};

/** Opens the console at a place such as `#/guides`, or says why not and where it is. */
export const showConsole = async (
  { url }: Pick<InstanceFile, "url">,
  terminal: Pick<Terminal, "note">,
  place = "",
): Promise<boolean> => {
  const address = `${url}/_sim/console/${place}`;
  const failure = await openInBrowser(address);
  if (failure === undefined) return true;
  terminal.note(`no browser was opened (${failure}); the page is ${address}`);
  return false;
};
