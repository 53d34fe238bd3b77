import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

/** Edits of one source file, as a plant has them. */
const { file = "", edits = [] } = JSON.parse(process.env.SERVICE_SIM_TEST_PLANT ?? "{}") as {
  file?: string;
  edits?: readonly [string, string][];
};

/** Runs the fast tests of revisions over sources with a bug that the environment names. */
export default defineConfig({
  define: { __VERSION__: JSON.stringify(version) },
  plugins: [
    {
      name: "planted",
      enforce: "pre",
      transform: (code, id) =>
        file !== "" && id.endsWith(file)
          ? edits.reduce((text, [search, replace]) => text.replace(search, () => replace), code)
          : undefined,
    },
  ],
  test: {
    include: ["test/contract/revised-shape.test.ts", "test/revisions/revision-rules.test.ts"],
    reporters: ["json"],
    isolate: false,
  },
});
