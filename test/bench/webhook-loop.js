import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";

// The floor of deliveries: POSTs one body over and over with node:http and nothing else. Argument:
// a file of JSON: {url, headers, body, count, atOnce, keepsConnections}. Prints {seconds}.
const { url, headers, body, count, atOnce, keepsConnections } = JSON.parse(
  readFileSync(process.argv[2], "utf8"),
);
const agent = keepsConnections ? new Agent({ keepAlive: true, maxSockets: atOnce }) : false;
const bytes = Buffer.from(body);
const sent = {
  method: "POST",
  agent,
  headers: {
    ...headers,
    "content-length": bytes.length,
    ...(!keepsConnections && { connection: "close" }),
  },
};

const post = () =>
  new Promise((resolve, reject) => {
    const posted = request(url, sent, (response) => {
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () => resolve(Buffer.concat(chunks)));
    });
    posted.on("error", reject);
    posted.end(bytes);
  });

let begun = 0;
const one = async () => {
  while (begun < count) {
    begun += 1;
    await post();
  }
};

const startedMs = performance.now();
await Promise.all(Array.from({ length: atOnce }, one));
console.log(JSON.stringify({ seconds: (performance.now() - startedMs) / 1000 }));
process.exit(0);
