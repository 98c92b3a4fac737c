import { expect, test } from "vitest";
import type { DeadLetter } from "../deadLetters.ts";
import { deadLetterAnswer, deadLetterRecord } from "../deadLetterView.ts";

const deadLetter: DeadLetter = {
  account: 1,
  recordId: "r:3:1",
  requestId: "r",
  operation: "createContactactivities",
  topic: "intake.records",
  partition: 2,
  logOffset: 4,
  place: 1,
  status: "redriven",
  code: "CONTACTS_CONTACT_NOT_FOUND",
  path: "/contact/identifiers",
  message: "No contact.",
  payload:
    '{"id":"r:3:1","receivedAt":1,"contact":{"identifiers":{"email":"a@x.org"}},"event":{"name":"browse","time":"2026-01-01"}}',
  version: "0".repeat(32),
  receivedAt: 1,
  rejectedAt: 2,
  redriveOf: "first:0:0",
  redrive: "job",
  redriveIndex: 0,
  history: [
    { at: 1, what: "parked", code: "CONTACTS_CONTACT_NOT_FOUND" },
    { at: 2, what: "open", code: "CONTACTS_CONTACT_NOT_FOUND" },
    { at: 3, what: "redriven", by: "key" },
    { at: 4, what: "applied", by: "job" },
  ],
};

test("a dead letter shows the item, where it stood in the log, what it stands for and all that was done with it", () => {
  const record = deadLetterRecord(deadLetter);
  expect(deadLetterAnswer.parse(record)).toMatchObject({
    payload: {
      contact: { identifiers: { email: "a@x.org" } },
      contactactivities: [{ name: "browse", time: "2026-01-01" }],
    },
    origin: { topic: "intake.records", partition: 2, offset: 4, place: 1, redriveOf: "first:0:0" },
    jobId: "job",
    history: [
      { what: "parked", by: "headwater" },
      { what: "rejected", by: "headwater" },
      { what: "redriven", by: "key" },
      { what: "applied", by: "job" },
    ],
  });
});
