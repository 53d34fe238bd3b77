// Starts the program once after it is built and keeps what V8 compiled, so that the first start of a
// checkout need not compile it (decisions/code-cache.md). Without it the program only starts slower.
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");

const root = join(__dirname, "..");
const program = join(__dirname, "service-sim.js");
const LIMIT_MS = 20_000;

/** The environment without what would change the program's start. */
const environment = (cache) => {
  const kept = Object.entries(process.env).filter(([name]) => !/^(NODE_|SERVICE_SIM_)/.test(name));
  return { ...Object.fromEntries(kept), XDG_CACHE_HOME: cache };
};

/** Calls the platform once, as the first call of a user does. */
const call = async ({ apiUrl, clientId, clientSecret }) => {
  const authorization = `Basic ${btoa(`${clientId}:${clientSecret}`)}`;
  await (await fetch(`${apiUrl}/config`, { headers: { authorization } })).text();
};

const startOnce = (folder) =>
  new Promise((resolve, reject) => {
    const args = [program, "start", "--port", "0", "--json", "--storage", "file:state"];
    const env = environment(join(folder, "cache"));
    const child = spawn(process.execPath, args, { cwd: folder, env, timeout: LIMIT_MS });
    let text = "";
    child.stdout.on("data", (bytes) => {
      const isFirst = !text.includes("\n");
      text += bytes;
      if (isFirst && text.includes("\n"))
        call(JSON.parse(text.slice(0, text.indexOf("\n"))))
          .catch(reject)
          .finally(() => child.kill());
    });
    child.on("error", reject);
    child.on("close", resolve);
  });

const keep = async () => {
  const code = join(root, ".cache", "code");
  // A start that finds kept code compiles nothing.
  fs.rmSync(code, { recursive: true, force: true });
  const folder = fs.mkdtempSync(join(tmpdir(), "service-sim-code-"));
  try {
    await startOnce(folder);
    const kept = join(folder, "cache", "service-sim");
    const [file] = fs.readdirSync(kept).filter((name) => /^start-.*\.bin$/.test(name));
    fs.mkdirSync(code, { recursive: true });
    fs.copyFileSync(join(kept, file), join(code, "start.bin"));
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
};

keep().catch(({ message }) => {
  console.error(`no code of the first start was kept: ${message}`);
  process.exitCode = 1;
});
