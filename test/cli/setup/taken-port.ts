import { createServer } from "node:net";
import { onTestFinished } from "vitest";

/** A port that a program which speaks no HTTP holds until the test ends. */
export const takenPort = (host = "127.0.0.1", wanted = 0) => {
  const server = createServer((socket) => socket.end());
  onTestFinished(() => void server.close());
  return new Promise<number>((resolve, reject) => {
    server.once("error", reject);
    server.listen(wanted, host, () => {
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : 0);
    });
  });
};
