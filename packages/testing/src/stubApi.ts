import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { gunzipSync } from "node:zlib";

/** A request as it came in. */
export interface StubCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Body before it was compressed. */
  readonly body: string;
  readonly isZipped: boolean;
  /** The items of a batch; none of any other body. */
  readonly items: readonly unknown[];
}

export interface StubReply {
  readonly status: number;
  /** Text goes as it is, all else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answer of the stub; "cut" ends a connection without one. */
export type StubAnswer = StubReply | "cut";

/** An API for tests of what stands before one, on a free port: it answers as the test says, and keeps what came. */
export async function startStubApi(reply: (came: StubCall, count: number) => StubAnswer | Promise<StubAnswer>) {
  const came: StubCall[] = [];
  let underWay = 0;
  let underWayMost = 0;
  const server = createServer(async (request, response) => {
    underWay += 1;
    underWayMost = Math.max(underWayMost, underWay);
    const one = await read(request);
    came.push(one);
    const answer = await reply(one, came.length);
    underWay -= 1;
    if (answer === "cut") {
      request.socket.destroy();
      return;
    }
    const { status, body, headers } = answer;
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const stop = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return {
    url: `http://127.0.0.1:${address.port}`,
    came,
    underWay: () => underWay,
    underWayMost: () => underWayMost,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function read(request: IncomingMessage): Promise<StubCall> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const { method = "", url: path = "", headers } = request;
  const isZipped = headers["content-encoding"] === "gzip";
  const body = (isZipped ? gunzipSync(bytes) : bytes).toString();
  return { method, path, headers, body, isZipped, items: itemsOf(body) };
}

function itemsOf(body: string): readonly unknown[] {
  try {
    const { items = [] } = Object(JSON.parse(body));
    return Array.isArray(items) ? items : [];
  } catch {
    return [];
  }
}

/** A 202 for a batch. */
export function accepted(rejected: readonly object[] = []): StubReply {
  return {
    status: 202,
    body: { requestId: "r", receipt: "token", accepted: 1, rejected: rejected.length, items: rejected },
  };
}

/** A refusal of a whole request. */
export function refused(status: number, code: string, headers: Readonly<Record<string, string>> = {}): StubReply {
  return { status, body: { code, message: `It is ${code}.`, requestId: "r-1" }, headers };
}
