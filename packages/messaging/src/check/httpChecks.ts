import { once } from "node:events";
import type { Socket } from "node:net";
import { connect as secure } from "node:tls";
import { OUTBOUND_REFUSED, type Outbound, privateAddressRefused } from "@headwater/kernel";
import { failed, passed, type TransportCheck } from "./transportCheck.ts";

const STEP_MS = 8_000;
const PORTS: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

export interface HttpCheckPorts {
  readonly outbound: Pick<Outbound, "connect">;
  /** PEM of an authority to trust, instead of the system's. */
  readonly authority?: string;
}

/** Connects to a service and encrypts the connection. No request is made: whatever it is, the service might act on it. */
export async function httpChecks(url: string, { outbound, authority }: HttpCheckPorts): Promise<TransportCheck[]> {
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  const signal = AbortSignal.timeout(STEP_MS);
  let socket: Socket;
  try {
    socket = await outbound.connect({ host, port: port === "" ? (PORTS[protocol] ?? 443) : Number(port) }, signal);
  } catch (error) {
    const isRefused = error instanceof Error && Reflect.get(error, "code") === OUTBOUND_REFUSED;
    const why = isRefused ? privateAddressRefused.transport : "The service cannot be reached.";
    return [failed("connection", why), failed("tls", "Not tried without a connection.")];
  }
  const reached = passed("connection", "The service can be reached.");
  if (protocol === "http:") {
    socket.destroy();
    return [reached, passed("tls", "The connection is not encrypted; none is asked for.")];
  }
  return [reached, await tlsOver(socket, { host, authority, signal })];
}

interface TlsTarget {
  readonly host: string;
  readonly authority: string | undefined;
  readonly signal: AbortSignal;
}

async function tlsOver(socket: Socket, { host, authority, signal }: TlsTarget): Promise<TransportCheck> {
  const isName = !/^[\d.]+$|:/.test(host);
  const encrypted = secure({
    ...{ socket, host },
    ...(isName && { servername: host }),
    ...(authority !== undefined && { ca: authority }),
  });
  try {
    await once(encrypted, "secureConnect", { signal });
    return passed("tls", "The connection is encrypted.");
  } catch {
    return failed("tls", "The connection cannot be encrypted with a certificate that is trusted.");
  } finally {
    encrypted.on("error", () => undefined).destroy();
    socket.destroy();
  }
}
