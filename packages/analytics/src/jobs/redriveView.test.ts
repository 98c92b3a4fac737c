import type { Redrive } from "@headwater/intake/deadLetters/redrives";
import { expect, test } from "vitest";
import { toJob } from "./redriveView.ts";

const redrive: Redrive = {
  id: "65f0c0ffee65f0c0ffee0001",
  account: 1,
  selection: {},
  patch: null,
  scopes: [],
  madeBy: "key",
  createdAt: 0,
  selected: 10,
  startedAt: null,
  writtenAt: null,
  canceledAt: null,
  cursor: { version: "0".repeat(32), recordId: "" },
  taken: 0,
  refused: 0,
  published: 0,
  parts: [],
};
const none = { applied: 0, skipped: 0, rejected: 0, parked: 0, pending: 0 };
const applied = { state: "applied", records: none } as const;

test("a job waits, is worked on, and is done when all its records are written and have their end", () => {
  expect(toJob(redrive, applied, "receipt").status).toBe("Pending");
  const begun = { ...redrive, startedAt: 1 };
  expect(toJob(begun, applied, "receipt").status).toBe("Processing");
  const written = { ...begun, writtenAt: 2 };
  const parked = { state: "pending", records: { ...none, parked: 1 } } as const;
  expect(toJob(written, parked, "receipt")).toMatchObject({ status: "Processing", times: { end: null } });
  expect(toJob(written, applied, "receipt")).toMatchObject({
    status: "Done",
    times: { start: "1970-01-01T00:00:00.001Z", end: "1970-01-01T00:00:00.002Z" },
  });
});

test("a job's receipt stands in it only when nothing is to be added to it", () => {
  expect(toJob({ ...redrive, startedAt: 1 }, applied, "receipt").metadata).toEqual({ refused: 0 });
  const written = { ...redrive, startedAt: 1, writtenAt: 2 };
  expect(toJob(written, applied, "receipt").metadata).toEqual({ receipt: "receipt", refused: 0 });
});

test("a job counts what validation refused among the rejected", () => {
  const records = { ...none, applied: 6, skipped: 1, rejected: 1 };
  const job = toJob({ ...redrive, writtenAt: 2, refused: 2 }, { state: "partly_rejected", records }, "receipt");
  expect(job).toMatchObject({ totalItems: 10, completedItems: 10, result: { updated: 6, rejected: 3, ignored: 1 } });
});

test("a job never has done more than it has to do", () => {
  const records = { ...none, applied: 11, rejected: 1 };
  const job = toJob({ ...redrive, writtenAt: 2 }, { state: "partly_rejected", records }, "receipt");
  expect(job).toMatchObject({ totalItems: 12, completedItems: 12, result: { totalRecords: 12 } });
});
