import { createServer } from "node:http";

// The floor of a server: reads the whole body, answers one status and one text. Plain JavaScript,
// so that nothing but Node.js is in its memory. Arguments: status, text.
const [, , status, text] = process.argv;
const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };

const server = createServer((request, response) => {
  const answer = () => response.writeHead(Number(status), headers).end(text);
  if (request.method === "GET") return answer();
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    Buffer.concat(chunks);
    answer();
  });
});

server.listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` }));
});
