import { HeadwaterError } from "@headwater/kernel";
import { unavailable } from "../kafka/unavailable.ts";
import { createPendingAppend, type PendingAppend, type Placement, type WrittenAt } from "./pendingAppend.ts";
import type { PendingMessage } from "./pendingMessage.ts";
import type { PublishedMessage } from "./producerApi.ts";

/** Resolves the requests whose records are in a message with its place in the log. */
export function settle(message: PendingMessage, at: WrittenAt): void {
  for (const { append, firstPlace, count } of message.parts) {
    append.written(message, { ...at, firstPlace, count });
  }
}

/** Fails them when it was not written, or when nobody knows. */
export function failMessages(messages: readonly PendingMessage[], cause: unknown): void {
  if (messages.length === 0) return;
  const error =
    cause instanceof HeadwaterError && cause.retriable
      ? cause
      : unavailable("The record log did not acknowledge the records.", 1, cause);
  for (const { parts } of messages) {
    for (const { append } of parts) append.failed(error);
  }
}

/** A pendingAppend of one ready value. */
export function createPublication(): {
  readonly pendingAppend: PendingAppend;
  readonly promise: Promise<PublishedMessage>;
} {
  const { promise, resolve, reject } = Promise.withResolvers<PublishedMessage>();
  const settled = ([placement]: readonly Placement[]) => {
    if (placement !== undefined) {
      resolve({ topic: placement.topic, partition: placement.partition, offset: placement.firstOffset });
    }
  };
  return { pendingAppend: createPendingAppend(settled, reject), promise };
}
