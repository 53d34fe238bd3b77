// Writes dist/help.json, from which help is printed without loading a command (decisions/code-cache.md).
const { rmSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

const dist = join(__dirname, "..", "dist");
const builder = join(dist, "help-table.cjs");

const write = async () => {
  // Variables of this shell would be named in the help of everybody.
  for (const name of Object.keys(process.env).filter((one) => one.startsWith("SERVICE_SIM_")))
    delete process.env[name];
  const { helpTable } = require(builder);
  writeFileSync(join(dist, "help.json"), JSON.stringify(await helpTable()));
  rmSync(builder);
};

write();
