import type { RejectRow } from "@headwater/contracts";
import { type Account, versionOf } from "@headwater/contracts";
import { upsertRejects } from "@headwater/intake/deadLetters/rejects";
import type { Postgres } from "@headwater/postgres/connection/postgres";

export interface SeedDeadLetter {
  readonly recordId: string;
  readonly email?: string;
  readonly at?: number;
  readonly more?: Partial<RejectRow>;
}

/** Refused records as the projector stores them; each is younger than the one before. */
export async function seedDeadLetters(
  postgres: Postgres,
  account: Account,
  deadLetters: readonly SeedDeadLetter[],
): Promise<void> {
  const rows = deadLetters.map(({ recordId, email = "ann@x.org", at = 1_000, more = {} }, index): RejectRow => {
    const record = { id: recordId, receivedAt: at, contact: { identifiers: { email } } };
    return {
      account: account.number,
      recordId,
      requestId: recordId.slice(0, recordId.indexOf(":")),
      operation: "upsertContact",
      topic: "intake.records",
      partition: 0,
      logOffset: index,
      place: 0,
      itemIndex: 0,
      status: "open",
      code: "CONTACTS_CONTACT_NOT_FOUND",
      path: "/identifiers",
      message: "No contact has one of these identifiers, and `canBeCreated` is not set.",
      payload: JSON.stringify(record),
      version: versionOf(at, { lane: 1, partition: 0, offset: index, place: 0 }),
      receivedAt: at,
      rejectedAt: at + index,
      attempts: 0,
      dueAt: null,
      ...more,
    };
  });
  await postgres.transaction((transaction) => upsertRejects(transaction, rows));
}
