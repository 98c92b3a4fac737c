import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/**
 * Modes of a proxy. `swallowAnswers`: requests arrive, answers are lost. `silent`: nothing arrives on either side, connections stay open.
 * `refuse`: connections are cut and no new ones are accepted.
 */
export type ProxyMode = "forward" | "swallowAnswers" | "silent" | "refuse";

export interface TcpProxy {
  readonly port: number;
  mode(): ProxyMode;
  /** Connections that lost bytes are cut when the mode changes back: what would come next makes no sense to them. */
  setMode(mode: ProxyMode): void;
  /** Every byte waits so long, both ways, and none overtakes another. When they are to wait less, those that wait go at once. */
  setDelay(delayMs: number): void;
  /** Cuts all connections now; new ones are taken as the mode says. */
  cut(): void;
  /** Bytes of answers that were lost, so that a test knows that the fault happened. */
  swallowedBytes(): number;
  close(): Promise<void>;
}

interface Connection {
  readonly client: Socket;
  readonly server: Socket;
  /** Bytes on their way to either side that wait for their time. */
  readonly late: Map<Socket, Buffer[]>;
  isSpoiled: boolean;
}

/** The first of what waits for the socket; nothing when it went before its time. */
function passFirst({ late }: Connection, to: Socket): void {
  const bytes = late.get(to)?.shift();
  if (bytes !== undefined) to.write(bytes);
}

function passAll({ late }: Connection): void {
  for (const [to, waiting] of late) for (const bytes of waiting.splice(0)) to.write(bytes);
}

/** A TCP proxy on a free port of the loopback, in front of `host:port`, that can fail in the ways a network does. */
export async function createTcpProxy(target: { readonly host: string; readonly port: number }): Promise<TcpProxy> {
  const connections = new Set<Connection>();
  let mode: ProxyMode = "forward";
  let delayMs = 0;
  let swallowed = 0;

  function pass(connection: Connection, to: Socket, bytes: Buffer): void {
    const isAnswer = to === connection.client;
    if (mode === "silent" || (mode === "swallowAnswers" && isAnswer)) {
      connection.isSpoiled = true;
      if (isAnswer) swallowed += bytes.length;
    } else if (delayMs > 0) {
      connection.late.get(to)?.push(bytes);
      setTimeout(() => passFirst(connection, to), delayMs);
    } else {
      to.write(bytes);
    }
  }

  function drop(connection: Connection): void {
    connections.delete(connection);
    connection.client.destroy();
    connection.server.destroy();
  }

  const listener = createServer((client) => {
    if (mode === "refuse") {
      client.destroy();
      return;
    }
    const server = connect(target);
    const late = new Map<Socket, Buffer[]>([
      [client, []],
      [server, []],
    ]);
    const connection: Connection = { client, server, late, isSpoiled: false };
    connections.add(connection);
    client.on("data", (bytes: Buffer) => pass(connection, server, bytes));
    server.on("data", (bytes: Buffer) => pass(connection, client, bytes));
    for (const socket of [client, server]) {
      socket.on("error", () => drop(connection));
      socket.on("close", () => drop(connection));
    }
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const address = listener.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");

  const cut = () => [...connections].forEach(drop);
  return {
    port: address.port,
    mode: () => mode,
    setMode(next) {
      mode = next;
      if (next === "refuse") cut();
      if (next === "forward") [...connections].filter(({ isSpoiled }) => isSpoiled).forEach(drop);
    },
    setDelay(nextMs) {
      if (nextMs < delayMs) [...connections].forEach(passAll);
      delayMs = nextMs;
    },
    cut,
    swallowedBytes: () => swallowed,
    async close() {
      cut();
      listener.close();
      await once(listener, "close");
    },
  };
}

/**
 * A socket factory for a client that follows the addresses its servers advertise: what would go to a port in `proxies`
 * goes through its proxy, everything else where it wants.
 */
export function socketsThrough(proxies: ReadonlyMap<number, TcpProxy>) {
  return ({ host, port, onConnect }: { host: string; port: number; onConnect: () => void }): Socket => {
    const proxy = proxies.get(port);
    return proxy === undefined
      ? connect({ host, port }, onConnect)
      : connect({ host: "127.0.0.1", port: proxy.port }, onConnect);
  };
}
