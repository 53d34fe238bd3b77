import { columns } from "../../../src/text/layout.ts";
import { markdownTable, numberText } from "../report.ts";
import type { PeerResult, Rate } from "./measured-peers.ts";

const HEAD = ["SERVER", "READY", "RESIDENT", "GET A QUOTE", "POST /QUOTES"];

const rateText = ({ perSecond, ratio, processorUs }: Rate) =>
  `${numberText(perSecond)}/s (${numberText(ratio)}, ${numberText(processorUs)} µs)`;

const rowOf = (result: PeerResult): string[] => {
  if ("why" in result) return [result.name, "-", "-", "-", `not measured: ${result.why}`];
  const { name, readyMs, residentMiB, get, post } = result;
  const ready = `${numberText(readyMs)} ms`;
  return [name, ready, `${numberText(residentMiB)} MiB`, rateText(get), rateText(post)];
};

/** The table of peers; in brackets the ratio to a bare server beside it, and CPU time. */
export const peerTableOf = (results: readonly PeerResult[]): string[] =>
  columns([HEAD, ...results.map(rowOf)]);

const MARKDOWN_HEAD = ["Server", "Ready", "Resident", "GET a quote", "POST /quotes"];

/** The same as it stands in performance.md. */
export const peerMarkdownOf = (results: readonly PeerResult[]): string[] =>
  markdownTable([MARKDOWN_HEAD, ...results.map(rowOf)]);
