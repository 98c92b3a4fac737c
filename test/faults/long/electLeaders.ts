import { once } from "node:events";
import { connect } from "node:net";

/** Kinds of an election: the first of the replicas where it is in sync, or any replica that is alive, whatever it lacks. */
export const elections = { preferred: 0, unclean: 1 } as const;

export interface Election {
  readonly kind: (typeof elections)[keyof typeof elections];
  readonly topic: string;
  readonly partitions: readonly number[];
}

const ELECT_LEADERS = 43;
const VERSION = 1;
const TIMEOUT_MS = 20_000;

/**
 * Asks a broker for an election, as `kafka-leader-election` does by the same request (ElectLeaders, version 1: see Kafka's protocol
 * guide; kafkajs has none).
 * @returns Kafka's error codes by partition, 0 where a leader was elected.
 */
export async function electLeaders(port: number, election: Election): Promise<ReadonlyMap<number, number>> {
  const signal = AbortSignal.timeout(2 * TIMEOUT_MS);
  const socket = connect({ host: "127.0.0.1", port, signal });
  try {
    await once(socket, "connect", { signal });
    socket.write(requestOf(election));
    let answer = Buffer.alloc(0);
    for await (const chunk of socket) {
      answer = Buffer.concat([answer, chunk]);
      if (answer.length >= 4 && answer.length >= 4 + answer.readInt32BE(0)) return codesOf(answer);
    }
    throw new Error("the broker ended the connection before its answer was whole");
  } finally {
    socket.destroy();
  }
}

function requestOf({ kind, topic, partitions }: Election): Buffer {
  const name = Buffer.from(topic);
  const head = Buffer.concat([int16(ELECT_LEADERS), int16(VERSION), int32(1), int16(-1)]);
  const topics = [int32(1), int16(name.length), name, int32(partitions.length), ...partitions.map(int32)];
  const body = Buffer.concat([head, Buffer.from([kind]), ...topics, int32(TIMEOUT_MS)]);
  return Buffer.concat([int32(body.length), body]);
}

/** Size, correlation id and throttle time come first, then the error of the whole and the topics; a partition ends in a text or none. */
function codesOf(answer: Buffer): ReadonlyMap<number, number> {
  let at = 12;
  const skip = (bytes: number): number => {
    at += bytes;
    return at - bytes;
  };
  const next16 = () => answer.readInt16BE(skip(2));
  const next32 = () => answer.readInt32BE(skip(4));
  const skipText = () => skip(Math.max(0, next16()));
  const error = next16();
  if (error !== 0) throw new Error(`the election was refused: Kafka's error ${error}`);
  const codes = new Map<number, number>();
  for (let topics = next32(); topics > 0; topics--) {
    skipText();
    for (let partitions = next32(); partitions > 0; partitions--) {
      const partition = next32();
      codes.set(partition, next16());
      skipText();
    }
  }
  return codes;
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
