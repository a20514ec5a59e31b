import { connect } from "node:net";

/** Request whose whole body is sent before the response is read. */
export interface LateRead {
  url: string;
  method: string;
  headers: Record<string, string>;
  sent: Buffer;
  /** Content length to declare, if it is larger than the body; "chunked" to declare no length. */
  announced?: number | "chunked";
}

/**
 * Sends the whole body before it reads the response, in the same way as simple clients. Resolves with the response. The
 * server must not close the connection while the client is sending.
 */
export function sendThenRead({ url, method, headers, sent, announced }: LateRead): Promise<string> {
  const { host, hostname, port, pathname, search } = new URL(url);
  const isChunked = announced === "chunked";
  const all = {
    Host: host,
    ...headers,
    ...(isChunked
      ? { "Transfer-Encoding": "chunked" }
      : { "Content-Length": String(announced ?? sent.length) }),
  };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.on("error", reject);
    socket.pause();
    socket.write(`${method} ${pathname}${search} HTTP/1.1\r\n${head.join("")}\r\n`);
    if (isChunked) socket.write(`${sent.length.toString(16)}\r\n`);
    socket.write(sent);
    socket.write(isChunked ? "\r\n0\r\n\r\n" : "", () => {
      let answer = "";
      socket.setEncoding("utf8").on("data", (text: string) => {
        answer += text;
        if (!/\r\n\r\n.*\}$/s.test(answer)) return;
        resolve(answer);
        socket.destroy();
      });
      socket.resume();
    });
  });
}
