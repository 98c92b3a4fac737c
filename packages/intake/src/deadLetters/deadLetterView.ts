import { toTimestamp } from "@headwater/contracts";
import { z } from "zod";
import { itemOfRecord } from "../operations/redrive.ts";
import type { DeadLetter, DeadLetterLine } from "./deadLetters.ts";

const count = z.number().int();
const line = z.strictObject({
  at: z.string(),
  what: z.enum(["rejected", "parked", "redriven", "refused", "applied", "skipped", "discarded"]),
  by: z.string(),
  code: z.string().optional(),
  reason: z.string().optional(),
  jobId: z.string().optional(),
});

export const deadLetterAnswer = z.strictObject({
  id: z.string(),
  operation: z.string(),
  code: z.string(),
  message: z.string(),
  path: z.string(),
  payload: z.unknown(),
  requestId: z.string(),
  receivedAt: z.string(),
  rejectedAt: z.string(),
  status: z.enum(["open", "parked", "redriven", "discarded"]),
  origin: z.strictObject({
    topic: z.string(),
    partition: count,
    offset: count,
    place: count,
    redriveOf: z.string().optional(),
  }),
  jobId: z.string().optional(),
  history: z.array(line),
});

export const DEAD_LETTER_MEMBERS = Object.keys(deadLetterAnswer.shape);

export const deadLetterExample = {
  id: "VbZsDdSkFIHQqU5ESHo7:3:0",
  operation: "createContactactivities",
  code: "CONTACTS_CONTACT_NOT_FOUND",
  message: "No contact has one of these identifiers, and this record creates none.",
  path: "/contact/identifiers",
  payload: {
    contact: { identifiers: { email: "ann@example.com" } },
    contactactivities: [{ name: "browse", time: "2026-01-09T22:47:12Z" }],
  },
  requestId: "VbZsDdSkFIHQqU5ESHo7",
  receivedAt: "2026-01-09T22:47:12.000Z",
  rejectedAt: "2026-01-09T22:48:18.000Z",
  status: "open",
  origin: { topic: "intake.records", partition: 3, offset: 4711, place: 3 },
  history: [
    { at: "2026-01-09T22:47:13.000Z", what: "parked", by: "headwater", code: "CONTACTS_CONTACT_NOT_FOUND" },
    { at: "2026-01-09T22:48:18.000Z", what: "rejected", by: "headwater", code: "CONTACTS_CONTACT_NOT_FOUND" },
  ],
};

/** Author of what nobody asked for. */
const BY_ITSELF = "headwater";

/** A refused record with the item as it was sent, less the others of the same body. */
export function deadLetterRecord(deadLetter: DeadLetter): object {
  const { recordId, operation, code, message, path, requestId, receivedAt, rejectedAt, status, history } = deadLetter;
  const { topic, partition, logOffset: offset, place: position, redriveOf, redrive } = deadLetter;
  return {
    id: recordId,
    operation,
    code,
    message,
    path,
    payload: itemOfRecord(deadLetter),
    requestId,
    receivedAt: toTimestamp(receivedAt),
    rejectedAt: toTimestamp(rejectedAt),
    status,
    origin: { topic, partition, offset, place: position, ...(redriveOf !== null && { redriveOf }) },
    ...(redrive !== null && { jobId: redrive }),
    history: history.map(toLine),
  };
}

/** A row that is open says in its history when it was rejected. */
function toLine({ at, what, by, ...more }: DeadLetterLine): object {
  const { code, ...rest } = more;
  return {
    at: toTimestamp(at),
    what: what === "open" ? "rejected" : what,
    by: by ?? BY_ITSELF,
    ...(code !== undefined && code !== "" && { code }),
    ...rest,
  };
}
