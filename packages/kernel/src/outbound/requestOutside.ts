import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import type { Outbound } from "./outbound.ts";

/** A request to a host that an account names. */
export interface OutsideRequest {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly outbound: Pick<Outbound, "httpAgent" | "httpsAgent">;
  /** Ends the request, also while its response is read. */
  readonly signal: AbortSignal;
  /** Time for which the server may say nothing. */
  readonly silenceMs?: number;
  /** Called when the request is about to be written to its connection: until then nothing of it has left. */
  readonly onStart?: () => void;
}

/** The head of a response; whoever takes it reads its body to the end or destroys it. */
export interface OutsideResponse {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: IncomingMessage;
}

/** Code of errors about requests that their address or headers make impossible. */
export const IMPOSSIBLE_REQUEST = "IMPOSSIBLE_REQUEST";

/** Names and values together, which the parser counts before any code of ours sees them. */
const HEADER_BYTES_MAX = 16 * 1024;
const CONNECT_TIMEOUT_MS = 10_000;
/** Responses such as `100 Continue` before the one that counts. */
const INTERIM_RESPONSES_MAX = 8;
/** Headers that belong to the connection and are not the caller's to set. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  ...["content-length", "expect", "keep-alive", "trailer", "transfer-encoding", "upgrade"],
]);

/**
 * Sends a request and resolves to the head of its response. Redirects are not followed. The client is the one of Node, because its parser
 * joins headers in native code: one in JavaScript can be held for long by many headers without values.
 * @throws Error with the code `IMPOSSIBLE_REQUEST` or `OUTBOUND_REFUSED`, and what `node:http` throws.
 */
export function requestOutside(url: URL | string, request: OutsideRequest): Promise<OutsideResponse> {
  return new Promise((resolve, reject) => {
    const sent = begin(new URL(url), request);
    let interim = 0;
    sent.on("information", () => {
      interim += 1;
      if (interim > INTERIM_RESPONSES_MAX) sent.destroy(new Error("The server sends interim responses without end."));
    });
    sent.on("socket", (socket) => {
      const start = () => request.onStart?.();
      if (socket.connecting) watchConnect(socket, sent.protocol === "https:" ? "secureConnect" : "connect", start);
      else start();
    });
    sent.on("response", (body) => resolve({ status: body.statusCode ?? 0, headers: body.headers, body }));
    // Stays for errors behind the response, which whoever reads the body gets from there.
    sent.on("error", reject);
    sent.end(request.body);
  });
}

function watchConnect(socket: Socket, event: "connect" | "secureConnect", onConnect: () => void): void {
  const timer = setTimeout(() => socket.destroy(new Error("The host does not answer.")), CONNECT_TIMEOUT_MS);
  socket.once("close", () => clearTimeout(timer));
  socket.once(event, () => {
    clearTimeout(timer);
    onConnect();
  });
}

function begin(url: URL, { method, headers, body, outbound, signal, silenceMs }: OutsideRequest): http.ClientRequest {
  const isSecure = url.protocol === "https:";
  const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
  for (const name of Object.keys(headers)) {
    if (OF_CONNECTION.has(name.toLowerCase())) throw impossible(`The header \`${name}\` belongs to the connection.`);
  }
  const options = {
    ...{ method, signal, headers: { ...headers, ...length }, maxHeaderSize: HEADER_BYTES_MAX },
    agent: isSecure ? outbound.httpsAgent : outbound.httpAgent,
  };
  try {
    const sent = (isSecure ? https : http).request(url, options);
    if (silenceMs !== undefined) sent.setTimeout(silenceMs, () => sent.destroy(new Error("The server is silent.")));
    return sent;
  } catch (error) {
    throw impossible(error instanceof Error ? error.message : String(error));
  }
}

function impossible(message: string): Error {
  return Object.assign(new Error(message), { code: IMPOSSIBLE_REQUEST });
}
