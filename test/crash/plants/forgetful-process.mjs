/**
 * Plants a bug in the process of a simulator that is started with `--import` of this file: its
 * reading of the journal forgets something. `CRASH_PLANT` names the bug.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { basename, dirname } from "node:path";
import { crc32 } from "node:zlib";

const SEGMENT = /[/\\]journal[/\\][0-9]+-[0-9]+$/;

const { readFileSync, readdirSync, statSync, truncateSync } = fs;

/** Rewrites each record of a segment; the checksum of the result is right. */
const rewritten = (bytes, rewrite) => {
  const lines = bytes.toString("utf8").split("\n");
  const tail = lines.pop();
  const whole = lines.map((line) => {
    const change = JSON.parse(line.slice(line.indexOf("{")));
    const json = Buffer.from(JSON.stringify(rewrite(change)));
    return `${crc32(json).toString(16).padStart(8, "0")} ${json.length} ${json}\n`;
  });
  return Buffer.from(whole.join("") + tail);
};

const withoutPuts = (isForgotten) => (bytes) =>
  rewritten(bytes, (change) => ({
    ...change,
    ...(change.put && { put: change.put.filter(([kind, record]) => !isForgotten(kind, record)) }),
  }));

/** Drops the last whole record of the newest segment that has one, on disk too. */
const withoutLast = (bytes, path) => {
  const others = readdirSync(dirname(path)).filter((name) => /^[0-9]+-[0-9]+$/.test(name));
  const number = (name) => Number(name.split("-")[0]) * 1e6 + Number(name.split("-")[1]);
  const isNewest = others.every(
    (name) =>
      number(name) <= number(basename(path)) || statSync(`${dirname(path)}/${name}`).size === 0,
  );
  const last = bytes.lastIndexOf(10);
  const end = last > 0 ? bytes.lastIndexOf(10, last - 1) + 1 : 0;
  if (!isNewest || end === 0) return bytes;
  truncateSync(path, end);
  return bytes.subarray(0, end);
};

const PLANTS = {
  "an acknowledged write dropped at recovery": withoutLast,
  "a retry timer lost at restart": withoutPuts(
    (kind, record) => kind === "Timer" && record.name === "webhook.retry",
  ),
  "an idempotent answer lost": withoutPuts((kind) => kind === "Replay"),
};

const plant = PLANTS[process.env.CRASH_PLANT ?? ""];
if (plant) {
  fs.readFileSync = (path, ...rest) => {
    const read = readFileSync(path, ...rest);
    return SEGMENT.test(String(path)) && Buffer.isBuffer(read) && read.length > 0
      ? plant(read, String(path))
      : read;
  };
  syncBuiltinESMExports();
}
