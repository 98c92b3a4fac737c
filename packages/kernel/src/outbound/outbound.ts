import { lookup as resolveName } from "node:dns";
import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import { connect as connectSocket, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createNetworks } from "../networks.ts";
import { type AddressGuard, createAddressGuard, type Resolve, withoutBrackets } from "./addressGuard.ts";

/** Connections that are kept open, with a limit to a host in each of the two. */
interface Connections {
  readonly httpAgent: http.Agent;
  readonly httpsAgent: https.Agent;
}

/**
 * Ways out to hosts that accounts name. Every socket is checked where it connects, after its name was resolved, so that a redirect
 * and a name that changes its address are checked like the first one.
 */
export interface Outbound extends Connections {
  /**
   * The same ways out, with connections of the account's own: an account whose requests hang holds all its connections to a host, and
   * none of another account's. Ask for it again for each request.
   */
  ofAccount(account: number): Outbound;
  /** False for an address that may not be reached; true for others and for names, which are checked where they connect. */
  permits(host: string): boolean;
  /** True for an address that the operator names as one that may be reached although it is not public. */
  allows(host: string): boolean;
  /** Connects to a host by name or address. @throws OutboundRefused, and what `node:net` throws. */
  connect(to: { readonly host: string; readonly port: number }, signal: AbortSignal): Promise<Socket>;
  /** Ends the connections that are kept open. */
  close(): Promise<void>;
}

export interface OutboundOptions {
  /** Addresses and CIDR ranges that may be reached although they are not public. */
  readonly allow: readonly string[];
  /** Default: the system's resolver. */
  readonly resolve?: Resolve;
  /** Connections that are kept open to a host, of an account and in all; default 32. */
  readonly connectionsPerHostMax?: number;
}

const CONNECT_TIMEOUT_MS = 10_000;
const CONNECTIONS_PER_HOST_MAX = 32;
/** Accounts whose connections are kept open; those of the account that has not used them for the longest time are closed first. */
const ACCOUNTS_MAX = 256;

/** @throws Error for an entry of `allow` that is no network; ask `isNetwork` first. */
export function createOutbound({
  allow,
  resolve = resolveName,
  connectionsPerHostMax = CONNECTIONS_PER_HOST_MAX,
}: OutboundOptions): Outbound {
  const allowed = createNetworks(allow);
  const guard = createAddressGuard(allowed, resolve);
  const shared = openConnections(guard, connectionsPerHostMax);
  const ofAccounts = new AccountConnections(() => openConnections(guard, connectionsPerHostMax));
  const outbound: Outbound = {
    ...shared,
    ofAccount: (account) => ({
      ...outbound,
      get httpAgent() {
        return ofAccounts.of(account).httpAgent;
      },
      get httpsAgent() {
        return ofAccounts.of(account).httpsAgent;
      },
    }),
    permits: (host) => guard.refusalOf(host) === undefined,
    allows: (host) => allowed.has(withoutBrackets(host)),
    connect: (to, signal) => openSocket(to, guard, signal),
    async close() {
      destroy(shared);
      ofAccounts.destroy();
    },
  };
  return outbound;
}

function openConnections(guard: AddressGuard, maxSockets: number): Connections {
  return {
    httpAgent: new GuardedHttpAgent(guard, maxSockets),
    httpsAgent: new GuardedHttpsAgent(guard, maxSockets),
  };
}

/** Connections of accounts, those of the account that was asked for last at the end. */
class AccountConnections {
  readonly #create: () => Connections;
  readonly #open = new Map<number, Connections>();

  constructor(create: () => Connections) {
    this.#create = create;
  }

  of(account: number): Connections {
    const connections = this.#open.get(account) ?? this.#create();
    this.#open.delete(account);
    this.#open.set(account, connections);
    const [oldest] = this.#open;
    if (oldest !== undefined && this.#open.size > ACCOUNTS_MAX) {
      this.#open.delete(oldest[0]);
      closeIdle(oldest[1]);
    }
    return connections;
  }

  destroy(): void {
    for (const connections of this.#open.values()) destroy(connections);
  }
}

/** Closes what is idle now, and what is in use as soon as it is idle. */
function closeIdle({ httpAgent, httpsAgent }: Connections): void {
  for (const agent of [httpAgent, httpsAgent]) {
    agent.maxFreeSockets = 0;
    for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
  }
}

function destroy({ httpAgent, httpsAgent }: Connections): void {
  httpAgent.destroy();
  httpsAgent.destroy();
}

/** Returns an outbound without the check, for hosts that the operator of the installation names. */
export function createOperatorsOutbound(): Outbound {
  return createOutbound({ allow: ["0.0.0.0/0", "::/0"] });
}

type OnSocket = Parameters<http.Agent["createConnection"]>[1];

/** Shorter than servers keep idle connections: a request on one that is just being closed gets no answer. */
const IDLE_MS = 4_000;

class GuardedHttpAgent extends http.Agent {
  readonly #guard: AddressGuard;
  constructor(guard: AddressGuard, maxSockets: number) {
    super({ keepAlive: true, maxSockets });
    this.#guard = guard;
  }
  override createConnection(options: http.ClientRequestArgs, onSocket?: OnSocket) {
    if (isRefused(this.#guard, options.host, onSocket)) return undefined;
    return super.createConnection({ ...options, lookup: this.#guard.lookup }, onSocket);
  }

  override keepSocketAlive(socket: Duplex) {
    return isSetIdle(socket) && super.keepSocketAlive(socket);
  }

  override reuseSocket(socket: Duplex, request: http.ClientRequest) {
    if (socket instanceof Socket) socket.setTimeout(0);
    super.reuseSocket(socket, request);
  }
}

class GuardedHttpsAgent extends https.Agent {
  readonly #guard: AddressGuard;
  constructor(guard: AddressGuard, maxSockets: number) {
    super({ keepAlive: true, maxSockets });
    this.#guard = guard;
  }
  override createConnection(options: https.RequestOptions, onSocket?: OnSocket) {
    if (isRefused(this.#guard, options.host, onSocket)) return undefined;
    return super.createConnection({ ...options, lookup: this.#guard.lookup }, onSocket);
  }

  override keepSocketAlive(socket: Duplex) {
    return isSetIdle(socket) && super.keepSocketAlive(socket);
  }

  override reuseSocket(socket: Duplex, request: http.ClientRequest) {
    if (socket instanceof Socket) socket.setTimeout(0);
    super.reuseSocket(socket, request);
  }
}

/** Lets the agent close a connection that stays idle. */
function isSetIdle(socket: Duplex): boolean {
  if (!(socket instanceof Socket)) return false;
  socket.setTimeout(IDLE_MS);
  return true;
}

/** Fails the socket and returns true when the host is an address that may not be reached. */
function isRefused(guard: AddressGuard, host: string | null | undefined, onSocket: OnSocket): boolean {
  const refusal = guard.refusalOf(host);
  if (refusal === undefined) return false;
  onSocket?.(refusal, new Socket());
  return true;
}

async function openSocket(
  to: { readonly host: string; readonly port: number },
  guard: AddressGuard,
  signal: AbortSignal,
): Promise<Socket> {
  const refusal = guard.refusalOf(to.host);
  if (refusal !== undefined) throw refusal;
  // Protocols like SFTP wait for an answer after each message: Nagle's algorithm would hold a short one until the server's delayed ACK.
  const socket = connectSocket({ ...to, lookup: guard.lookup, noDelay: true });
  try {
    await once(socket, "connect", { signal: AbortSignal.any([signal, AbortSignal.timeout(CONNECT_TIMEOUT_MS)]) });
  } catch (error) {
    // Nobody listens any more to what a socket says that is given up.
    socket.on("error", () => undefined).destroy();
    throw error;
  }
  return socket;
}
