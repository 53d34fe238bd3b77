// Builds and packs the sources twice, in two folders, and compares the hashes of the tarballs: a
// package that anyone can make again is what its sources say. `npm run reproduce`.
const { spawnSync } = require("node:child_process");
const { createHash } = require("node:crypto");
const fs = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");

const root = join(__dirname, "..");

/** What a build and a package are made of. */
const PARTS = [
  "CHANGELOG.md",
  "LICENSE",
  "README.md",
  "bin",
  "fixtures",
  "package-lock.json",
  "package.json",
  "rolldown.config.js",
  "src",
  "test/foreign/package.json",
  "tsconfig.json",
];

const run = (folder, words) => {
  const { status, stdout, stderr } = spawnSync("npm", words, {
    cwd: folder,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (status !== 0)
    throw new Error(`Expected npm ${words.join(" ")} to end well but found ${stderr}${stdout}`);
};

/** Builds and packs a copy of the sources; the packages are those that are installed here. */
const packed = (folder) => {
  for (const part of PARTS) fs.cpSync(join(root, part), join(folder, part), { recursive: true });
  fs.symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  run(folder, ["run", "build", "--silent"]);
  spawnSync(process.execPath, [join("bin", "packed-manifest.js")], { cwd: folder });
  run(folder, ["pack", "--ignore-scripts", "--silent", "--pack-destination", ".."]);
};

const hashOf = (file) => createHash("sha256").update(fs.readFileSync(file)).digest("hex");

const reproduce = () => {
  const made = fs.mkdtempSync(join(tmpdir(), "service-sim-twice-"));
  try {
    return ["one", "another-one"].map((name) => {
      const folder = join(made, name, "sources");
      fs.mkdirSync(folder, { recursive: true });
      packed(folder);
      const [file] = fs.readdirSync(join(made, name)).filter((one) => one.endsWith(".tgz"));
      return { file, sha256: hashOf(join(made, name, file)) };
    });
  } finally {
    fs.rmSync(made, { recursive: true, force: true });
  }
};

const [first, second] = reproduce();
console.log(`${first.sha256}  ${first.file}`);
if (first.sha256 !== second.sha256) {
  console.error(`Expected the same package twice but found ${second.sha256}`);
  process.exitCode = 1;
}
