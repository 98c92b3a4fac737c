import { toTimestamp } from "@headwater/contracts";
import type { DeadLetter } from "@headwater/intake/deadLetters/deadLetters";
import { itemOfRecord } from "@headwater/intake/operations/redrive";
import type { Row } from "../output/formats.ts";

export const DEAD_LETTER_COLUMNS = ["id", "rejectedAt", "operation", "code", "status", "message"];

/** A dead letter as `/v2` shows it. */
export function toDeadLetterRow(deadLetter: DeadLetter): Row {
  const { recordId, operation, code, message, path, requestId, status, history, redrive, redriveOf } = deadLetter;
  const { topic, partition, logOffset: offset, place: position } = deadLetter;
  return {
    id: recordId,
    rejectedAt: toTimestamp(deadLetter.rejectedAt),
    operation,
    code,
    status,
    message,
    path,
    requestId,
    receivedAt: toTimestamp(deadLetter.receivedAt),
    payload: itemOfRecord(deadLetter),
    origin: { topic, partition, offset, place: position, ...(redriveOf !== null && { redriveOf }) },
    ...(redrive !== null && { jobId: redrive }),
    history: history.map(({ at, ...line }) => ({ at: toTimestamp(at), ...line })),
  };
}
