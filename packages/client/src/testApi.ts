import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { gunzipSync } from "node:zlib";

/** A request as it came in. */
export interface Came {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly isZipped: boolean;
  /** The items of a batch. */
  readonly items: readonly unknown[];
}

/** What comes back: an answer, or a connection that is cut without one. */
export type Reply =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  | "cut";

/** An HTTP server of a test, which answers as the test says. */
export async function startTestApi(reply: (came: Came, count: number) => Reply | Promise<Reply>) {
  const came: Came[] = [];
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
    response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
    response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body ?? {}));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    came,
    underWay: () => underWay,
    underWayMost: () => underWayMost,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function read(request: IncomingMessage): Promise<Came> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const isZipped = request.headers["content-encoding"] === "gzip";
  const text = (isZipped ? gunzipSync(bytes) : bytes).toString();
  const { items = [] }: { items?: unknown[] } = text === "" ? {} : JSON.parse(text);
  return { method: request.method ?? "", path: request.url ?? "", headers: request.headers, isZipped, items };
}

/** A 202 for a batch. */
export function accepted(rejected: readonly object[] = []): Reply {
  return {
    status: 202,
    body: { requestId: "r", receipt: "token", accepted: 1, rejected: rejected.length, items: rejected },
  };
}

/** A refusal of a whole request. */
export function refused(status: number, code: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, body: { code, message: `It is ${code}.`, requestId: "r" }, headers };
}
