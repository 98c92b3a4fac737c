import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Duplex } from "node:stream";
import type { HeadwaterError } from "@headwater/kernel";
import { toErrorAnswer } from "../answers/errorAnswer.ts";
import { refusal } from "../answers/refusal.ts";

export interface TlsFiles {
  readonly key: string | Buffer;
  readonly cert: string | Buffer;
}

export interface NodeServerOptions {
  readonly tls: TlsFiles | undefined;
  readonly connectionsMax: number;
  readonly headersTimeoutMs: number;
  readonly newRequestId: () => string;
}

/** A backstop behind our own bounds on bodies. */
const REQUEST_TIMEOUT_MS = 70_000;
const KEEP_ALIVE_MS = 65_000;
/** A connection on which nothing moves, a reader that stopped reading included. */
const IDLE_SOCKET_MS = 90_000;
const HEADER_BYTES_MAX = 32 * 1024;

/** Node's server with its time bounds; what is no HTTP gets the error body, too. */
export function createNodeServer(handler: RequestListener, options: NodeServerOptions): Server {
  const { tls, connectionsMax, headersTimeoutMs, newRequestId } = options;
  const limits = {
    headersTimeout: headersTimeoutMs,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: Math.min(1_000, headersTimeoutMs),
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: HEADER_BYTES_MAX,
    noDelay: true,
  };
  const server: Server =
    tls === undefined ? createServer(limits, handler) : createTlsServer({ ...limits, ...tls }, handler);
  server.maxConnections = connectionsMax;
  server.timeout = IDLE_SOCKET_MS;
  server.on("clientError", (error, socket) => refuseClient(error, socket, newRequestId()));
  return server;
}

/** For what Node could not read as a request: there is only a socket to answer on. */
function refuseClient(error: Error & { code?: string }, socket: Duplex, requestId: string) {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, body } = toErrorAnswer(toRefusal(error.code), requestId);
  const text = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${status} ${REASONS[status] ?? "Bad Request"}\r\nConnection: close\r\nX-Request-Id: ${requestId}\r\n` +
      `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}

const REASONS: Readonly<Record<number, string>> = { 400: "Bad Request", 408: "Request Timeout" };

function toRefusal(code: string | undefined): HeadwaterError {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return refusal("REQUEST_TIMEOUT", "The request did not come in time.");
  if (code === "HPE_HEADER_OVERFLOW") return refusal("BAD_REQUEST", `Headers are at most ${HEADER_BYTES_MAX} bytes.`);
  return refusal("BAD_REQUEST", "This is not a request of HTTP.");
}
