import { createRequire } from "node:module";
import { testClients } from "./setup/clients.ts";

const TSX = createRequire(import.meta.url).resolve("tsx");

testClients([
  { file: "typescript.mts", words: [process.execPath, "--import", TSX], tool: process.execPath },
  // Bash and curl are where the tests run; nc of OpenBSD may not be.
  { file: "curl.sh", words: ["bash"], tool: "nc" },
  { file: "python.py", words: ["python3"], tool: "python3" },
  { file: "go.go", words: ["go", "run"], tool: "go" },
  { file: "Java.java", words: ["java"], tool: "java" },
  { file: "ruby.rb", words: ["ruby"], tool: "ruby" },
  { file: "php.php", words: ["php"], tool: "php" },
]);
