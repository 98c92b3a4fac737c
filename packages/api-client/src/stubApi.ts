import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";

export interface StubCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface StubReply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An API for tests of what stands on this client, on a free port: it answers as the test says, and keeps what came. "cut" ends a connection without an answer. */
export async function startStubApi(reply: (came: StubCall, count: number) => StubReply | "cut") {
  const came: StubCall[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = "", url: path = "", headers } = request;
    const one = { method, path, headers, body: Buffer.concat(chunks).toString() };
    came.push(one);
    const answer = reply(one, came.length);
    if (answer === "cut") {
      request.socket.destroy();
      return;
    }
    response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
    response.end(answer.body === undefined ? undefined : JSON.stringify(answer.body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    came,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** An error as the service says it. */
export function refused(status: number, code: string, headers: Readonly<Record<string, string>> = {}): StubReply {
  return { status, body: { code, message: `It is ${code}.`, requestId: "r-1" }, headers };
}
