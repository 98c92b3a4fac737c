import { type ClosedListeners, closedProperties } from "./closedListeners.ts";

export interface KafkaNode {
  readonly id: number;
  readonly port: number;
  readonly controllerPort: number;
}

const MESSAGE_BYTES_MAX = 8 * 1024 * 1024;
const HOST = "127.0.0.1";

export interface ServerPropertiesOptions {
  readonly node: KafkaNode;
  readonly nodes: readonly KafkaNode[];
  /** Closed listeners next to the plain one, for tests. */
  readonly closed?: ClosedListeners | undefined;
}

/** Returns a broker's configuration file: loopback only, no topic made by accident, replicated as far as there are nodes. */
export function serverProperties({ node, nodes, closed }: ServerPropertiesOptions, logs: string): string {
  const replicas = nodes.length;
  const inSync = replicas > 2 ? 2 : 1;
  const plain = `PLAINTEXT://${HOST}:${node.port},CONTROLLER://${HOST}:${node.controllerPort}`;
  const properties: Record<string, string | number | boolean> = {
    "process.roles": "broker,controller",
    "node.id": node.id,
    "controller.quorum.voters": nodes.map(({ id, controllerPort }) => `${id}@${HOST}:${controllerPort}`).join(","),
    listeners: plain,
    "advertised.listeners": `PLAINTEXT://${HOST}:${node.port}`,
    "controller.listener.names": "CONTROLLER",
    "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
    "inter.broker.listener.name": "PLAINTEXT",
    "log.dirs": logs,
    "auto.create.topics.enable": false,
    "message.max.bytes": MESSAGE_BYTES_MAX,
    "replica.fetch.max.bytes": MESSAGE_BYTES_MAX,
    "default.replication.factor": replicas,
    "min.insync.replicas": inSync,
    "offsets.topic.replication.factor": replicas,
    // Fixed when the topic is made; the default of 50 is for clusters with hundreds of groups and slows each start.
    "offsets.topic.num.partitions": 8,
    "transaction.state.log.replication.factor": replicas,
    "transaction.state.log.min.isr": inSync,
    "transaction.state.log.num.partitions": 8,
    "share.coordinator.state.topic.replication.factor": replicas,
    "share.coordinator.state.topic.min.isr": inSync,
    "group.initial.rebalance.delay.ms": 0,
    // A broker that was killed is let in again only when its old session has ended (default 9 s).
    "broker.session.timeout.ms": 3_000,
    "broker.heartbeat.interval.ms": 500,
    ...(closed === undefined ? {} : closedProperties(closed, plain)),
  };
  return Object.entries(properties)
    .map(([key, value]) => `${key}=${value}\n`)
    .join("");
}
