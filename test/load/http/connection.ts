import { createConnection, type Socket } from "node:net";

export interface HttpAnswer {
  readonly status: number;
  /** Seconds of `Retry-After`; undefined without it. */
  readonly retryAfterSeconds: number | undefined;
  readonly body: string;
}

/** One keep-alive connection to 127.0.0.1 that carries one request at a time. */
export interface Connection {
  /** Writes a whole request; `done` gets its answer, or undefined when the connection broke. */
  send(request: Buffer, done: (answer: HttpAnswer | undefined) => void): void;
  isOpen(): boolean;
  close(): void;
}

export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
}

/** A request as it goes over the wire. */
export function wireRequest({ method, path, headers, body }: WireRequest): Buffer {
  const all = {
    Host: "127.0.0.1",
    ...(body && { "Content-Type": "application/json", "Content-Length": String(body.length) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`), body ?? Buffer.alloc(0)]);
}

/**
 * HTTP/1.1 over a bare socket: the load generator shares the machine with what it measures, and this is a fraction of the
 * cost of a general client. Answers must carry `Content-Length`.
 */
export function connect(port: number): Promise<Connection> {
  const { promise, resolve, reject } = Promise.withResolvers<Connection>();
  const socket = createConnection({ host: "127.0.0.1", port, noDelay: true });
  socket.once("error", reject);
  socket.once("connect", () => {
    socket.removeListener("error", reject);
    resolve(overSocket(socket));
  });
  return promise;
}

function overSocket(socket: Socket): Connection {
  let received = "";
  let waiting: ((answer: HttpAnswer | undefined) => void) | undefined;
  let open = true;
  const complete = (answer: HttpAnswer | undefined) => {
    const done = waiting;
    waiting = undefined;
    received = "";
    done?.(answer);
  };
  socket.on("data", (chunk: Buffer) => {
    received += chunk.toString("latin1");
    const answer = readAnswer(received);
    if (answer !== undefined) complete(answer);
  });
  // What broke shows as an answer that never came; the close event follows every error.
  socket.on("error", () => socket.destroy());
  socket.on("close", () => {
    open = false;
    complete(undefined);
  });
  return {
    send(request, done) {
      if (!open) return done(undefined);
      waiting = done;
      socket.write(request);
    },
    isOpen: () => open,
    close: () => socket.destroy(),
  };
}

const LENGTH = /\r\ncontent-length: (\d+)/i;
const RETRY_AFTER = /\r\nretry-after: (\d+)/i;
const STATUS_AT = "HTTP/1.1 ".length;
const HEAD_END = "\r\n\r\n";

/** @returns undefined while the answer is not whole. */
function readAnswer(received: string): HttpAnswer | undefined {
  const headEnd = received.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const head = received.slice(0, headEnd);
  const length = LENGTH.exec(head)?.[1];
  if (length === undefined) throw new Error(`an answer without Content-Length: ${head}`);
  const bodyAt = headEnd + HEAD_END.length;
  if (received.length < bodyAt + Number(length)) return undefined;
  const status = Number(head.slice(STATUS_AT, STATUS_AT + 3));
  const retryAfter = status >= 400 ? RETRY_AFTER.exec(head)?.[1] : undefined;
  return {
    status,
    retryAfterSeconds: retryAfter === undefined ? undefined : Number(retryAfter),
    body: received.slice(bodyAt),
  };
}
