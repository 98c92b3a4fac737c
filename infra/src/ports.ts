import { createServer } from "node:net";
import type { KafkaNode } from "../embedded/kafka/serverProperties.ts";

export interface WantedPort {
  readonly port: number;
  /** Use of the port, for the sentence about a taken one: "port 8430, wanted for Kafka, is taken by …". */
  readonly use: string;
}

/** Offsets from HEADWATER_PORT_BASE. Kafka's controller and further nodes: see `kafkaPorts`. */
export const portOffsets = {
  ingress: 0,
  service: 1,
  assistant: 2,
  console: 3,
  operations: 4,
  projectorOperations: 5,
  ingressOperations: 6,
  serviceOperations: 7,
  workerOperations: 8,
  kafka: 10,
  kafkaController: 11,
  registry: 13,
  postgres: 14,
  clickhouse: 15,
  senderOperations: 22,
  trackerOperations: 23,
  automationOperations: 24,
  tracker: 30,
  incomingMail: 31,
  mailSmtp: 32,
  mailImap: 33,
  mail: 34,
} as const;

/** Operations of the second and further processes of an app that `npm start` runs several of. */
export const furtherOperations = { ingress: 60, projector: 70 } as const;

/** The first port of nodes 2 and 3, which only fault tests start. */
const FURTHER_KAFKA_NODES = 16;

/** The ports of a cluster of `count` nodes: the broker and its controller next to each other. */
export function kafkaPorts(portBase: number, count: 1 | 3): KafkaNode[] {
  const first = { id: 1, port: portBase + portOffsets.kafka, controllerPort: portBase + portOffsets.kafkaController };
  const further = [2, 3].slice(0, count - 1).map((id) => {
    const port = portBase + FURTHER_KAFKA_NODES + (id - 2) * 2;
    return { id, port, controllerPort: port + 1 };
  });
  return [first, ...further];
}

/** Ports above those of installations and below those of outgoing connections, which may take one between two checks. */
const FREE_PORTS = { from: 25_000, count: 7_000 } as const;
const TRIES_MAX = 100;
const input = new Set<number>();

/** Returns a port of the loopback that nothing listens on, for a server that cannot choose its own; each one once a process. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const port = FREE_PORTS.from + Math.floor(Math.random() * FREE_PORTS.count);
    if (input.has(port) || !(await isFree(port))) continue;
    input.add(port);
    return port;
  }
  throw new Error(`no free port was found in ${TRIES_MAX} tries`);
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
