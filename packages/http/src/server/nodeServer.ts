import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type HeadwaterError, networkOf } from "@headwater/kernel";
import { toErrorAnswer } from "../answers/errorAnswer.ts";
import { refusal } from "../answers/refusal.ts";
import { createShares } from "../guards/shares.ts";
import type { Certificate } from "./certificate.ts";

export interface NodeServerOptions {
  readonly certificate: Certificate | undefined;
  readonly connectionsMax: number;
  /** Proxies bring the connections of many: they are not bounded by address. */
  readonly isProxy: (address: string) => boolean;
  readonly headersTimeoutMs: number;
  readonly newRequestId: () => string;
  /** Names and values in turn, for answers to what is no request. */
  readonly usualHeaders: () => readonly string[];
}

/** A backstop behind our own bounds on bodies. */
const REQUEST_TIMEOUT_MS = 70_000;
const KEEP_ALIVE_MS = 65_000;
/** A connection on which nothing moves, a reader that stopped reading included. */
const IDLE_SOCKET_MS = 90_000;
const HEADER_BYTES_MAX = 32 * 1024;

/** Node's server with its time bounds; what is no HTTP gets the error body, too. */
export function createNodeServer(listener: RequestListener, options: NodeServerOptions): Server {
  const { certificate, connectionsMax, headersTimeoutMs } = options;
  const handler = expectHost(listener, options);
  const limits = {
    headersTimeout: headersTimeoutMs,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: Math.min(1_000, headersTimeoutMs),
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: HEADER_BYTES_MAX,
    noDelay: true,
    // Node would answer a request without it by itself, and without a body.
    requireHostHeader: false,
  };
  const server = certificate === undefined ? createServer(limits, handler) : secure(handler, limits, certificate);
  server.maxConnections = connectionsMax;
  boundAddresses(server, options);
  server.timeout = IDLE_SOCKET_MS;
  // An expectation that we do not know may be ignored (RFC 9110, 10.1.1): Node would answer it without a body.
  server.on("checkExpectation", handler);
  server.on("clientError", (error, socket) => refuseClient(error, socket, options));
  return server;
}

/** HTTP/1.1 asks every request for `Host` (RFC 9112, 3.2). */
function expectHost(listener: RequestListener, options: NodeServerOptions): RequestListener {
  return (request, response) => {
    if (request.headers.host === undefined && request.httpVersion === "1.1") refuseWithoutHost(response, options);
    else listener(request, response);
  };
}

function refuseWithoutHost(
  response: ServerResponse,
  { newRequestId, usualHeaders: defaultHeaders }: NodeServerOptions,
): void {
  const requestId = newRequestId();
  const { status, body } = toErrorAnswer(refusal("BAD_REQUEST", "The header Host is missing."), requestId);
  const text = JSON.stringify(body);
  response.writeHead(status, [
    ...defaultHeaders(),
    ...["X-Request-Id", requestId, "Connection", "close"],
    ...["Content-Type", "application/json; charset=utf-8", "Content-Length", String(Buffer.byteLength(text))],
  ]);
  response.end(text);
}

/** One network has at most as many connections as are left free: it may have half of them, and never keeps the next one out. */
function boundAddresses(server: Server, { connectionsMax, isProxy }: NodeServerOptions): void {
  const shares = createShares({ max: connectionsMax, weight: 1 });
  server.on("connection", (socket: Socket) => {
    const { remoteAddress = "" } = socket;
    if (isProxy(remoteAddress)) return;
    const network = networkOf(remoteAddress);
    if (shares.take(network, 1)) socket.once("close", () => shares.give(network, 1));
    else socket.destroy();
  });
}

/** A handshake has as long as the headers of a request. */
function secure(
  handler: RequestListener,
  limits: { readonly headersTimeout: number },
  certificate: Certificate,
): Server {
  const handshake = { handshakeTimeout: limits.headersTimeout };
  const server = createTlsServer({ ...limits, ...handshake, ...certificate.options }, handler);
  certificate.follow(server);
  server.once("close", () => certificate.stop());
  return server;
}

/**
 * Refuses what Node could not read as a request: there is only a socket to answer on. What is no TLS on a port of TLS has none: whatever
 * would be written to it is for a handshake that never was.
 */
function refuseClient(error: Error & { code?: string }, socket: Duplex, options: NodeServerOptions): void {
  const found = toRefusal(error.code);
  if (found === undefined || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = options.newRequestId();
  const { status, body } = toErrorAnswer(found, requestId);
  const text = JSON.stringify(body);
  const fallback = options.usualHeaders();
  const defaultLines = fallback.map((part, index) => (index % 2 === 0 ? `${part}: ` : `${part}\r\n`)).join("");
  socket.end(
    `HTTP/1.1 ${status} ${REASONS[status] ?? "Bad Request"}\r\nConnection: close\r\nX-Request-Id: ${requestId}\r\n${defaultLines}` +
      `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}

const REASONS: Readonly<Record<number, string>> = {
  400: "Bad Request",
  408: "Request Timeout",
  431: "Request Header Fields Too Large",
};
const HEADERS_TOO_LARGE = 431;

function toRefusal(code = ""): HeadwaterError | undefined {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return refusal("REQUEST_TIMEOUT", "The request timed out.");
  if (code === "HPE_HEADER_OVERFLOW") {
    return refusal("BAD_REQUEST", `The headers exceed ${HEADER_BYTES_MAX} bytes.`, { status: HEADERS_TOO_LARGE });
  }
  return code.startsWith("HPE_") ? refusal("BAD_REQUEST", "The request is not valid HTTP.") : undefined;
}
