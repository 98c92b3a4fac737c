import type { KafkaMessage } from "kafkajs";
import type { LogFrame } from "./partitionFeed.ts";

const EMPTY = Buffer.alloc(0);
const NO_HEADERS = Object.freeze({});

/** A message of kafkajs as a frame of ours. */
export function toFrame(message: KafkaMessage): LogFrame {
  const { offset, timestamp, key, value, headers } = message;
  return {
    offset: Number(offset),
    timeMs: Number(timestamp),
    epoch: epochOf(message),
    key: key?.toString("utf8"),
    value: value ?? EMPTY,
    headers: headers === undefined ? NO_HEADERS : toText(headers),
  };
}

/** kafkajs keeps the header of the batch with each message, though its types do not say so. */
function epochOf(message: object): number | undefined {
  if (!("batchContext" in message)) return undefined;
  const { batchContext } = message;
  if (typeof batchContext !== "object" || batchContext === null) return undefined;
  if (!("partitionLeaderEpoch" in batchContext)) return undefined;
  const { partitionLeaderEpoch } = batchContext;
  return typeof partitionLeaderEpoch === "number" ? partitionLeaderEpoch : undefined;
}

function toText(headers: NonNullable<KafkaMessage["headers"]>): Readonly<Record<string, string>> {
  const entries = Object.entries(headers);
  return entries.length === 0
    ? NO_HEADERS
    : Object.fromEntries(
        entries.map(([name, value]) => [name, (Array.isArray(value) ? value[0] : value)?.toString() ?? ""]),
      );
}
