import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";

export interface Strangers {
  /** Ends, and counts connections made and calls answered, by status. */
  end(): Promise<StrangerCounts>;
}

export interface StrangerCounts {
  readonly connections: number;
  readonly statuses: Readonly<Record<string, number>>;
}

export interface StrangersOptions {
  readonly ports: { readonly ingress: number; readonly service: number };
  /** Sockets at a time that announce a large body and dribble. */
  readonly slow: number;
  /** Calls at a time with bodies that unpack to 10 MiB, and with made-up keys. */
  readonly callers: number;
}

const DRIBBLE_MS = 900;
const PATIENCE_MS = 30_000;
const ANNOUNCED = 10 * 1024 * 1024;

/** People without a key: slow bodies, announced lengths, bodies that unpack to a thousand times their size, made-up keys. */
export function sendStrangers({ ports, slow, callers }: StrangersOptions): Strangers {
  const ending = new AbortController();
  const statuses: Record<string, number> = {};
  let connections = 0;
  const dribble = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      connections++;
      await dribbleOnce(ports.ingress, ending.signal);
    }
  };
  const call = async (index: number): Promise<void> => {
    for (let created = index; !ending.signal.aborted; created += callers) {
      const status = await callOnce(ports, created, ending.signal);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  const all = [...Array.from({ length: slow }, dribble), ...Array.from({ length: callers }, (_, index) => call(index))];
  return {
    async end() {
      ending.abort();
      await Promise.all(all);
      return { connections, statuses };
    },
  };
}

async function dribbleOnce(port: number, ending: AbortSignal): Promise<void> {
  const socket = connect({ host: "127.0.0.1", port });
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.on("error", () => socket.destroy());
  socket.resume();
  socket.write(
    `POST /api/upsertContact/batch HTTP/1.1\r\nHost: x\r\nx-api-key: made-up\r\nContent-Type: application/json\r\nContent-Length: ${ANNOUNCED}\r\n\r\n`,
  );
  await Promise.race([closed, dribbleBytes(socket, ending)]);
  socket.destroy();
}

async function dribbleBytes(socket: Socket, ending: AbortSignal): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  while (!ending.aborted && !socket.destroyed && performance.now() < until) {
    socket.write("[");
    await sleep(DRIBBLE_MS);
  }
}

/** 10 MiB of small numbers in nested objects, with one number that is long: 10 KB on the wire. */
const bomb = gzipSync(
  `{"type":"module_registration_request","n":1234567890123456789,${'"attributes":{'.repeat(60)}"a":[${"1,".repeat(5_000_000)}1]${"}".repeat(60)}}`,
);

async function callOnce(ports: StrangersOptions["ports"], built: number, ending: AbortSignal): Promise<string> {
  const key = `made-up-${built}-${Math.random()}`;
  const [url, init] = built % 3 === 0 ? health(ports, key) : built % 3 === 1 ? unpacking(ports) : madeUp(ports, key);
  const signal = AbortSignal.any([ending, AbortSignal.timeout(PATIENCE_MS)]);
  return fetch(url, { ...init, signal }).then(
    async (answer) => {
      await answer.arrayBuffer();
      return String(answer.status);
    },
    () => "broken",
  );
}

function unpacking({ ingress }: StrangersOptions["ports"]): [string, RequestInit] {
  const headers = { "content-type": "application/json", "content-encoding": "gzip" };
  return [`http://127.0.0.1:${ingress}/api/cdpsync/moduleRegistration`, { method: "POST", headers, body: bomb }];
}

function madeUp({ ingress }: StrangersOptions["ports"], key: string): [string, RequestInit] {
  const headers = { "content-type": "application/json", "x-api-key": key };
  return [`http://127.0.0.1:${ingress}/api/upsertContact`, { method: "POST", headers, body: "{}" }];
}

function health({ service }: StrangersOptions["ports"], key: string): [string, RequestInit] {
  const authorization = `Basic ${Buffer.from(`${key}:`).toString("base64")}`;
  return [`http://127.0.0.1:${service}/v2/contacts/x`, { headers: { authorization } }];
}
