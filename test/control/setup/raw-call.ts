import { type IncomingHttpHeaders, request } from "node:http";

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Sends a request whose path and headers, including `Host`, go over the wire unchanged. */
export const rawCall = (
  port: number,
  { method = "GET", path, headers }: { method?: string; path: string; headers: object },
): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const sent = request({
      host: "127.0.0.1",
      port,
      method,
      path,
      agent: false,
      setHost: false,
      headers: { ...headers },
    });
    sent.on("error", reject);
    sent.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString("utf8"),
        }),
      );
    });
    sent.end();
  });
