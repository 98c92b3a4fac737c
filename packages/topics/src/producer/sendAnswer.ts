import type { PendingMessage } from "./pendingMessage.ts";

/** Answer of the log about one partition of a send. */
export interface PartitionAnswer {
  readonly topicName: string;
  readonly partition: number;
  readonly errorCode: number;
  readonly baseOffset?: string;
  /** The broker's append time, milliseconds since 1970; -1 where the topic keeps the senders' times. */
  readonly logAppendTime?: string;
}

export type SendResult =
  | {
      readonly kind: "written";
      readonly message: PendingMessage;
      readonly offset: number;
      readonly timeMs: number | undefined;
    }
  | { readonly kind: "unanswered"; readonly message: PendingMessage; readonly reason: string };

/**
 * Finds which messages of a send were written, and where: message n of a partition is at its base offset + n. kafkajs
 * resolves a send though a partition was dropped when its leader moved during a retry, so what is not in the answer
 * exactly once, without an error and with an offset, counts as not written.
 */
export function checkAnswer(
  messages: readonly PendingMessage[],
  answers: readonly PartitionAnswer[],
): readonly SendResult[] {
  const byPartition = Map.groupBy(answers, (answer) => `${answer.topicName}\n${answer.partition}`);
  const nextOffsets = new Map<string, number>();
  return messages.map((message) => {
    const id = `${message.topic}\n${message.partition}`;
    const answered = byPartition.get(id) ?? [];
    const base = baseOffsetOf(answered);
    if (typeof base === "string") return { kind: "unanswered", message, reason: base };
    const offset = nextOffsets.get(id) ?? base;
    nextOffsets.set(id, offset + 1);
    return { kind: "written", message, offset, timeMs: timeOf(answered[0]) };
  });
}

/** The base offset, or why there is none. */
function baseOffsetOf(answers: readonly PartitionAnswer[]): number | string {
  const [answer] = answers;
  if (answer === undefined) return "the partition is not in the answer";
  if (answers.length > 1) return "the partition is in the answer more than once";
  if (answer.errorCode !== 0) return `the partition answered error ${answer.errorCode}`;
  const offset = Number(answer.baseOffset);
  const isOffset = answer.baseOffset !== undefined && Number.isSafeInteger(offset) && offset >= 0;
  return isOffset ? offset : "the partition answered no offset";
}

function timeOf(answer: PartitionAnswer | undefined): number | undefined {
  const timeMs = Number(answer?.logAppendTime ?? -1);
  return timeMs >= 0 ? timeMs : undefined;
}
