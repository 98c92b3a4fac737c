import { toTimestamp } from "@headwater/contracts";
import type { DeadLetter } from "@headwater/intake/deadLetters/deadLetters";
import { itemOfRecord } from "@headwater/intake/operations/redrive";
import type { Row } from "../output/formats.ts";

export const LETTER_COLUMNS = ["id", "rejectedAt", "operation", "code", "status", "message"];

/** A dead letter as `/v2` shows it. */
export function toLetterRow(letter: DeadLetter): Row {
  const { recordId, operation, code, message, path, requestId, status, history, redrive, redriveOf } = letter;
  const { topic, partition, logOffset: offset, place } = letter;
  return {
    id: recordId,
    rejectedAt: toTimestamp(letter.rejectedAt),
    operation,
    code,
    status,
    message,
    path,
    requestId,
    receivedAt: toTimestamp(letter.receivedAt),
    payload: itemOfRecord(letter),
    origin: { topic, partition, offset, place, ...(redriveOf !== null && { redriveOf }) },
    ...(redrive !== null && { jobId: redrive }),
    history: history.map(({ at, ...line }) => ({ at: toTimestamp(at), ...line })),
  };
}
