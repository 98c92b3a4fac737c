import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";

/**
 * Where plain HTTP is answered: `loopback` in development; nowhere; or behind a proxy that ends TLS, says so in
 * `X-Forwarded-Proto` and is the only one who can reach this port.
 */
export type PlainHttp = "loopback" | "refuse" | "trusted-proxy";

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;

/** @returns a test of whether a request may be answered; connections that were tested once are remembered. */
export function createSecureCheck(plainHttp: PlainHttp): (request: IncomingMessage) => boolean {
  if (plainHttp === "trusted-proxy") {
    return ({ headers, socket }) => headers["x-forwarded-proto"] === "https" || socket instanceof TLSSocket;
  }
  const allowed = new WeakSet<object>();
  return ({ socket }) => {
    if (allowed.has(socket)) return true;
    const isLoopback = plainHttp === "loopback" && LOOPBACK.test(socket.remoteAddress ?? "");
    if (!isLoopback && !(socket instanceof TLSSocket)) return false;
    allowed.add(socket);
    return true;
  };
}
