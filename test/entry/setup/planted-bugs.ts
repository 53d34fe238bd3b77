import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import type { Product } from "./product.ts";

/** A bug in one file of the sources: the text of the right code, and of the wrong one. */
export interface Planted {
  file: string;
  from: string;
  to: string;
}

const ENTRY = "test/entry/setup/product.ts";
const FOLDER = join(".cache", "entry");

/** The text of a file with a bug in it; throws where the code is not as the bug expects it. */
export const plantedIn = ({ file, from, to }: Planted) => {
  const text = readFileSync(file, "utf8");
  if (text.split(from).length !== 2)
    throw new Error(`Expected ${from} once in ${file} but found it otherwise`);
  return text.replace(from, () => to);
};

/** The product from sources in which texts are replaced. */
export const productWith = async (edits: readonly Planted[], name: string): Promise<Product> => {
  const texts = new Map(edits.map((edit) => [`/${edit.file}`, plantedIn(edit)]));
  const bundle = await rolldown({
    input: ENTRY,
    platform: "node",
    external: (id) => !/^[./]/.test(id),
    transform: { define: { __VERSION__: '"0.1.0"' } },
    plugins: [
      {
        name: "planted",
        load: (id) => {
          if (id.endsWith("?raw"))
            return `export default ${JSON.stringify(readFileSync(id.slice(0, -4), "utf8"))}`;
          const [, code] = [...texts].find(([file]) => id.endsWith(file)) ?? [];
          return code === undefined ? undefined : { code };
        },
      },
    ],
    logLevel: "silent",
  });
  const folder = join(FOLDER, name);
  mkdirSync(folder, { recursive: true });
  await bundle.write({ dir: folder, format: "esm", entryFileNames: "product.mjs" });
  await bundle.close();
  const module = await import(/* @vite-ignore */ pathToFileURL(join(folder, "product.mjs")).href);
  rmSync(folder, { recursive: true });
  return (module as { PRODUCT: Product }).PRODUCT;
};
