import { createRequire } from "node:module";
import { testClients } from "./setup/clients.ts";

const TSX = createRequire(import.meta.url).resolve("tsx");

// Programs in languages that are not everywhere are tried in `clients.apart.test.ts`.
testClients([
  { file: "typescript.mts", words: [process.execPath, "--import", TSX], tool: process.execPath },
  // Bash and curl are where the tests run; nc of OpenBSD may not be.
  { file: "curl.sh", words: ["bash"], tool: "nc" },
]);
