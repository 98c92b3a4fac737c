import http from "node:http";
import https from "node:https";
import { Duplex } from "node:stream";
import type { HostConnect } from "./hostConnection.ts";
import { withoutBrackets } from "./storageAddress.ts";

/** Agents of clients of HTTP. */
export interface HttpAgents {
  readonly httpAgent: http.Agent;
  readonly httpsAgent: https.Agent;
}

/** A task sends one part at a time; a request that gives up an upload runs next to it. */
const CONNECTIONS_MAX = 4;
const agentOptions = { keepAlive: true, maxSockets: CONNECTIONS_MAX };
const PORTS = { http: 80, https: 443 } as const;

type OnSocket = Parameters<http.Agent["createConnection"]>[1];

/** Creates agents whose connections are those of the host; TLS ends in this process. */
export function createHostAgents(connect: HostConnect): HttpAgents {
  return { httpAgent: new HostHttpAgent(connect), httpsAgent: new HostHttpsAgent(connect) };
}

class HostHttpAgent extends http.Agent {
  readonly #connect: HostConnect;

  constructor(connect: HostConnect) {
    super(agentOptions);
    this.#connect = connect;
  }

  override createConnection(options: http.ClientRequestArgs, onSocket?: OnSocket): undefined {
    this.#connect(addressOf(options, PORTS.http)).then(
      (socket) => onSocket?.(null, socket),
      (error: Error) => onSocket?.(error, new Duplex()),
    );
  }
}

class HostHttpsAgent extends https.Agent {
  readonly #connect: HostConnect;

  constructor(connect: HostConnect) {
    super(agentOptions);
    this.#connect = connect;
  }

  override createConnection(options: https.RequestOptions, onSocket?: OnSocket): undefined {
    this.#connect(addressOf(options, PORTS.https)).then(
      (socket) => onSocket?.(null, super.createConnection(overSocket(options, socket)) ?? socket),
      (error: Error) => onSocket?.(error, new Duplex()),
    );
  }
}

/** Options of `tls.connect`, to which the agent hands them on. */
function overSocket(options: https.RequestOptions, socket: Duplex): https.RequestOptions & { readonly socket: Duplex } {
  return { ...options, socket };
}

function addressOf({ host, port }: http.ClientRequestArgs, portDefault: number) {
  return { host: withoutBrackets(host ?? ""), port: Number(port ?? portDefault) };
}
