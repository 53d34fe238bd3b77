import { expect, test } from "vitest";
import { benchPerTest } from "../setup/place-per-test.ts";

const place = benchPerTest();

const STORE = "--storage postgres://sim:s3cret@127.0.0.1:1/sim";

const SHARED_ONLY =
  "only the worlds of a database are served by several processes; " +
  "start with --storage postgres://<user>:<password>@<host>/<database>";

const PEER =
  "Expected --peer to be a host and a port that other processes reach, like 10.0.0.5:4748";

test.each([
  { words: "--processes 2", says: `--processes: ${SHARED_ONLY}` },
  { words: "--processes 2 --storage memory:", says: `--processes: ${SHARED_ONLY}` },
  { words: "--processes 2 --detach", says: `--processes: ${SHARED_ONLY}` },
  { words: "--peer 10.0.0.5:4748", says: `--peer: ${SHARED_ONLY}` },
  { words: "--peer 10.0.0.5:4748 --storage memory:", says: `--peer: ${SHARED_ONLY}` },
  { words: "--lease 2s", says: `--lease: ${SHARED_ONLY}` },
  { words: "--lease 2s --storage memory:", says: `--lease: ${SHARED_ONLY}` },
  ...["0", "65", "two", "1.5"].map((count) => ({
    words: `${STORE} --processes ${count}`,
    says: `Expected --processes to be a whole number from 1 to 64 but found "${count}"`,
  })),
  ...["4748", "a:b", "a:65536", "a:", ":1", "0.0.0.0:4748", "[::]:4748", "http://a:1"].map(
    (peer) => ({ words: `${STORE} --peer ${peer}`, says: `${PEER} but found "${peer}"` }),
  ),
  ...["0s", "999ms", "61s", "5", "x"].map((span) => ({
    words: `${STORE} --lease ${span}`,
    says: `Expected --lease to be a span from 1s to 60s but found "${span}"`,
  })),
  ...["301s", "-1s", "5"].map((span) => ({
    words: `--drain=${span}`,
    says: `Expected --drain to be a span from 0s to 300s but found "${span}"`,
  })),
  {
    words: `${STORE} --processes 2 --tui`,
    says: "--tui cannot be used with --processes: a screen shows one process: start --detach --processes, then service-sim tui",
  },
  {
    words: `${STORE} --processes 2 --capsule run.capsule`,
    says: "--capsule cannot be used with --processes: a capsule has the calls of one process",
  },
  {
    words: `${STORE} --processes 2 --https`,
    says: "--https cannot be used with --processes: several processes share a port only for plain http: put a proxy in front of them",
  },
  {
    words: `${STORE} --processes 2 --qr`,
    says: "--qr cannot be used with --processes: only one process can print it",
  },
  {
    words: `${STORE} --processes 2 --tunnel`,
    says: "--tunnel cannot be used with --processes: only one process can open it: run a tunnel to the port of --processes",
  },
  {
    words: `${STORE} --processes 2 --peer 10.0.0.5:4748`,
    says: "--peer: 2 processes cannot share the port of 10.0.0.5:4748: give port 0, and each takes a free one",
  },
  {
    words: `${STORE} --processes 2 --fresh`,
    says: "--fresh: only a folder is moved aside, and other simulators may serve the worlds of a database",
  },
])("start $words is a usage error", async ({ words, says }) => {
  const { code, stdout, stderr } = await place().run(`start --port 0 ${words}`);
  expect(stderr.split("\n")[0]).toBe(`error  ${says}`);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
});
