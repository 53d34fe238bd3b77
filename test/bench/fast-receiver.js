import { createServer } from "node:http";

// Accepts every POST at once. GET /wait?count=N answers when N were accepted since the last
// GET /forget, with the number of new connections that they came over and one of the bodies.
let accepted = 0;
let body = "";
let connections = 0;
let waiting;

const tell = () => {
  if (waiting === undefined || accepted < waiting.count) return;
  waiting.response.end(JSON.stringify({ connections, body }));
  waiting = undefined;
};

const questions = {
  "/wait": (response, query) => {
    waiting = { response, count: Number(query.get("count")) };
    tell();
  },
  "/forget": (response) => {
    accepted = 0;
    connections = 0;
    response.end("{}");
  },
};

const server = createServer((request, response) => {
  if (request.method === "GET") {
    const { pathname, searchParams } = new URL(request.url, "http://receiver");
    return questions[pathname](response, searchParams);
  }
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const { socket } = request;
    if (accepted === 0) body = Buffer.concat(chunks).toString("utf8");
    if (!socket.isCounted) connections += 1;
    socket.isCounted = true;
    accepted += 1;
    response.end();
    tell();
  });
});

server.listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` }));
});
