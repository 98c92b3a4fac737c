import { lookup as resolveName } from "node:dns";
import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import { connect as connectSocket, Socket } from "node:net";
import { Agent, buildConnector, type Dispatcher } from "undici";
import { createNetworks } from "../networks.ts";
import { type AddressGuard, createAddressGuard, type Resolve } from "./addressGuard.ts";

/**
 * Ways out to hosts that accounts name. Every socket is checked where it connects, after its name was resolved, so that a redirect
 * and a name that changes its address are checked like the first one.
 */
export interface Outbound {
  readonly httpAgent: http.Agent;
  readonly httpsAgent: https.Agent;
  /** The same for `undici`. */
  readonly dispatcher: Dispatcher;
  /**
   * The same ways out, with `undici` connections of the account's own: an account whose requests hang holds all connections to an origin, and
   * none of another account's. Ask for its `dispatcher` again for each request.
   */
  ofAccount(account: number): Outbound;
  /** False for an address that may not be reached; true for others and for names, which are checked where they connect. */
  permits(host: string): boolean;
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
}

const CONNECT_TIMEOUT_MS = 10_000;
const CONNECTIONS_PER_HOST_MAX = 32;
/** Accounts whose connections are kept open; those of the account that has not used them for the longest time are closed first. */
const ACCOUNTS_MAX = 256;

/** @throws Error for an entry of `allow` that is no network; ask `isNetwork` first. */
export function createOutbound({ allow, resolve = resolveName }: OutboundOptions): Outbound {
  const guard = createAddressGuard(createNetworks(allow), resolve);
  const httpAgent = new GuardedHttpAgent(guard);
  const httpsAgent = new GuardedHttpsAgent(guard);
  const createDispatcher = () => new Agent({ connect: guardedConnector(guard), connections: CONNECTIONS_PER_HOST_MAX });
  const dispatcher = createDispatcher();
  const ofAccounts = new AccountDispatchers(createDispatcher);
  const outbound: Outbound = {
    httpAgent,
    httpsAgent,
    dispatcher,
    ofAccount: (account) => ({
      ...outbound,
      get dispatcher() {
        return ofAccounts.of(account);
      },
    }),
    permits: (host) => guard.refusalOf(host) === undefined,
    connect: (to, signal) => openSocket(to, guard, signal),
    async close() {
      httpAgent.destroy();
      httpsAgent.destroy();
      await Promise.all([dispatcher.destroy(), ofAccounts.destroy()]);
    },
  };
  return outbound;
}

/** Connections of accounts, those of the account that was asked for last at the end. */
class AccountDispatchers {
  readonly #create: () => Dispatcher;
  readonly #open = new Map<number, Dispatcher>();

  constructor(create: () => Dispatcher) {
    this.#create = create;
  }

  of(account: number): Dispatcher {
    const dispatcher = this.#open.get(account) ?? this.#create();
    this.#open.delete(account);
    this.#open.set(account, dispatcher);
    const [oldest] = this.#open;
    if (oldest !== undefined && this.#open.size > ACCOUNTS_MAX) {
      this.#open.delete(oldest[0]);
      // What is under way there comes to its end.
      void Promise.allSettled([oldest[1].close()]);
    }
    return dispatcher;
  }

  async destroy(): Promise<void> {
    await Promise.all([...this.#open.values()].map((dispatcher) => dispatcher.destroy()));
  }
}

/** Returns an outbound without the check, for hosts that the operator of the installation names. */
export function createOperatorsOutbound(): Outbound {
  return createOutbound({ allow: ["0.0.0.0/0", "::/0"] });
}

type OnSocket = Parameters<http.Agent["createConnection"]>[1];

const agentOptions = { keepAlive: true, maxSockets: CONNECTIONS_PER_HOST_MAX };

class GuardedHttpAgent extends http.Agent {
  readonly #guard: AddressGuard;
  constructor(guard: AddressGuard) {
    super(agentOptions);
    this.#guard = guard;
  }
  override createConnection(options: http.ClientRequestArgs, onSocket?: OnSocket) {
    if (isRefused(this.#guard, options.host, onSocket)) return undefined;
    return super.createConnection({ ...options, lookup: this.#guard.lookup }, onSocket);
  }
}

class GuardedHttpsAgent extends https.Agent {
  readonly #guard: AddressGuard;
  constructor(guard: AddressGuard) {
    super(agentOptions);
    this.#guard = guard;
  }
  override createConnection(options: https.RequestOptions, onSocket?: OnSocket) {
    if (isRefused(this.#guard, options.host, onSocket)) return undefined;
    return super.createConnection({ ...options, lookup: this.#guard.lookup }, onSocket);
  }
}

/** Fails the socket and returns true when the host is an address that may not be reached. */
function isRefused(guard: AddressGuard, host: string | null | undefined, onSocket: OnSocket): boolean {
  const refusal = guard.refusalOf(host);
  if (refusal === undefined) return false;
  onSocket?.(refusal, new Socket());
  return true;
}

function guardedConnector(guard: AddressGuard): buildConnector.connector {
  const connect = buildConnector({ lookup: guard.lookup, timeout: CONNECT_TIMEOUT_MS });
  return (options, onSocket) => {
    const refusal = guard.refusalOf(options.hostname);
    return refusal === undefined ? connect(options, onSocket) : onSocket(refusal, null);
  };
}

async function openSocket(
  to: { readonly host: string; readonly port: number },
  guard: AddressGuard,
  signal: AbortSignal,
): Promise<Socket> {
  const refusal = guard.refusalOf(to.host);
  if (refusal !== undefined) throw refusal;
  const socket = connectSocket({ ...to, lookup: guard.lookup });
  try {
    await once(socket, "connect", { signal: AbortSignal.any([signal, AbortSignal.timeout(CONNECT_TIMEOUT_MS)]) });
  } catch (error) {
    // Nobody listens any more to what a socket says that is given up.
    socket.on("error", () => undefined).destroy();
    throw error;
  }
  return socket;
}
