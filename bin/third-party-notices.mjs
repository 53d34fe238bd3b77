// Writes dist/THIRD_PARTY_NOTICES.txt: each package whose code is in the bundles, once, with its
// license. rolldown-license-plugin finds the packages of a bundle and the texts of their licenses.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { licensePlugin } from "rolldown-license-plugin";

const FILE = fileURLToPath(new URL("../dist/THIRD_PARTY_NOTICES.txt", import.meta.url));

/** Licenses that bundled packages may have, and what they ask of whoever passes the code on. */
export const ALLOWED_LICENSES = {
  "0BSD": "nothing",
  "Apache-2.0": "keep the license and the notices",
  "BSD-2-Clause": "keep the license",
  "BSD-3-Clause": "keep the license",
  ISC: "keep the license",
  MIT: "keep the license",
  "OFL-1.1": "keep the license, and sell no font by itself",
  Unlicense: "in the public domain",
};

/** Copyright lines, from their sources or their author, of packages under MIT that come without its text. */
const COPYRIGHTS = {
  "@cfworker/json-schema": "Copyright (c) Jeremy Danyow",
  "yoga-layout": "Copyright (c) Meta Platforms, Inc. and affiliates.",
};

/** The text of MIT from our own license, without our copyright line. */
const mitTextOf = (copyright) =>
  readFileSync(new URL("../LICENSE", import.meta.url), "utf8").replace(
    /^Copyright .*$/m,
    () => copyright,
  );

const textOf = ({ name, license, licenseText }) => {
  if (licenseText) return licenseText;
  if (license === "Unlicense") return "Released into the public domain by its authors.";
  if (license !== "MIT" || !Object.hasOwn(COPYRIGHTS, name))
    throw new Error(`Expected a license text of ${name} but found none`);
  return mitTextOf(COPYRIGHTS[name]);
};

/** The NOTICE that a package comes with, which Apache-2.0 asks to pass on. */
const noticeFileOf = ({ name }) => {
  const file = new URL(`../node_modules/${name}/NOTICE`, import.meta.url);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
};

const noticeOf = (one) => {
  const { name, version, license } = one;
  if (!Object.hasOwn(ALLOWED_LICENSES, license))
    throw new Error(`Expected ${name} to have an allowed license but found ${license}`);
  return [`${name} ${version}`, `License: ${license}`, textOf(one), noticeFileOf(one)]
    .filter(Boolean)
    .map((text) => text.replaceAll("\r\n", "\n").trim())
    .join("\n\n");
};

const HEAD = "Packages whose code is part of service-sim, and their licenses.";

/** Line between two packages; no license has one as long. */
export const RULE = "-".repeat(96);

/**
 * The notices of packages, ordered by name.
 * @throws Error when a license is not allowed or its text is missing
 */
export const noticesOf = (packages) => {
  const byName = packages.toSorted((a, b) =>
    `${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1,
  );
  return `${[HEAD, ...byName.map(noticeOf)].join(`\n\n${RULE}\n\n`)}\n`;
};

/** The bundler, which adds a few functions of its own. */
const bundler = () => {
  const inPackage = (file) =>
    readFileSync(new URL(`../node_modules/rolldown/${file}`, import.meta.url), "utf8");
  return { ...JSON.parse(inPackage("package.json")), licenseText: inPackage("LICENSE") };
};

/** Packages whose fonts the console has; no module imports them. */
const FONTS = ["@fontsource-variable/figtree", "@fontsource-variable/geist-mono"];

const fontPackage = (name) => {
  const inPackage = (file) =>
    readFileSync(new URL(`../node_modules/${name}/${file}`, import.meta.url), "utf8");
  const { version, license } = JSON.parse(inPackage("package.json"));
  return { name, version, license, licenseText: inPackage("LICENSE") };
};

/** Packages of all bundles, by name and version. */
const bundled = new Map();

/** Adds the packages of a bundle to the notices; the last bundle writes them whole. */
export const bundledLicenses = () =>
  licensePlugin({
    done: (packages) => {
      for (const one of [...packages, bundler(), ...FONTS.map(fontPackage)])
        bundled.set(`${one.name} ${one.version}`, one);
      mkdirSync(dirname(FILE), { recursive: true });
      writeFileSync(FILE, noticesOf([...bundled.values()]));
    },
  });
