import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import * as z from "zod";
import { refuse } from "../domain/core/refusal.ts";
import type { HttpRequest } from "../http/message/http-request.ts";
import { StreamReply } from "../http/message/stream-reply.ts";
import { packageFolder } from "../machine/package-folder.ts";
import { endpoint } from "./core/control-endpoint.ts";
import { PAGE_HEADERS } from "./core/page-policy.ts";

/** Path of the page; a place in it follows behind `#`. */
export const CONSOLE_PATH = "/_sim/console";

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  woff2: "font/woff2",
};

const GUARDED = { ...PAGE_HEADERS, vary: "accept-encoding" };

/** Names of files carry a hash of their text, except the page's. */
const KEPT = { "cache-control": "public, max-age=31536000, immutable" };
const ASKED_AGAIN = { "cache-control": "no-cache" };

const FILE_NAME = /^[\w-]+\.(?:js|css|woff2)$/;

/** Fonts are compressed by their own form. */
const isFont = (name: string) => name.endsWith(".woff2");

const files = new Map<string, Buffer>();

/** A file of the console as the build packed it; nothing where it made none of that name. */
const packedFile = (name: string): Buffer | undefined => {
  const known = files.get(name);
  if (known) return known;
  try {
    const bytes = readFileSync(packageFolder(`dist/console/${name}${isFont(name) ? "" : ".br"}`));
    files.set(name, bytes);
    return bytes;
  } catch {
    return undefined;
  }
};

const takesBrotli = (request: HttpRequest) =>
  /(?:^|[\s,])br(?!;q=0(?:[,\s]|$))/.test(request.headers.get("accept-encoding") ?? "");

const streamOf = (bytes: Uint8Array) =>
  new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(bytes);
      controller.close();
    },
  });

const fileReply = (name: string, kept: Readonly<Record<string, string>>) => {
  const packed =
    packedFile(name) ?? refuse("DOC_NOT_FOUND", { topic: name }, `No file of the console ${name}`);
  const isSentPacked = (request: HttpRequest) => !isFont(name) && takesBrotli(request);
  const bytesFor = (request: HttpRequest) =>
    isFont(name) || takesBrotli(request) ? packed : brotliDecompressSync(packed);
  return new StreamReply(
    TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "",
    (request) => streamOf(bytesFor(request)),
    (request) => ({
      ...GUARDED,
      ...kept,
      ...(isSentPacked(request) && { "content-encoding": "br" }),
      "content-length": String(bytesFor(request).length),
    }),
  );
};

/** The world in a browser: one page and its files, made by the build (spec/console.md#page). */
export const consoleEndpoints = [
  endpoint({
    operationId: "console",
    summary: "The console: the world in a browser",
    method: "GET",
    path: "/console",
    alsoAt: "/_sim/console/",
    replies: [200, z.string(), "text/html"],
    refuses: ["DOC_NOT_FOUND"],
    isWorldless: true,
    handle: () => fileReply("index.html", ASKED_AGAIN),
  }),
  endpoint({
    operationId: "consoleFile",
    summary: "A script, style sheet or font of the console",
    method: "GET",
    path: "/console/{file}",
    replies: [200, z.string(), "text/javascript", "text/css", "font/woff2"],
    refuses: ["DOC_NOT_FOUND"],
    isWorldless: true,
    handle: ({ params: { file } }) => fileReply(FILE_NAME.test(file) ? file : "unknown.js", KEPT),
  }),
];
