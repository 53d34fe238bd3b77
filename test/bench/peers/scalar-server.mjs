import { readFileSync } from "node:fs";
import { serve } from "@hono/node-server";
import { createMockServer } from "@scalar/mock-server";

// Serves an OpenAPI document. It is copied to where these packages are installed. Arguments: the
// document, a port.
const [, , document, port] = process.argv;
const { fetch } = await createMockServer({ document: JSON.parse(readFileSync(document, "utf8")) });
serve({ fetch, port: Number(port), hostname: "127.0.0.1" });
