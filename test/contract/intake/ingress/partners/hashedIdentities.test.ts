import { hashAddress, hashedNameOf } from "@headwater/contracts";
import { retryOnConflict } from "@headwater/postgres/connection/writeConflict";
import { readContactByIdentifiers } from "@headwater/records/contacts/contactReads";
import { createHashIndexes, findIndexChanges } from "@headwater/records/contacts/hashIndexes";
import { noChangeEvents } from "@headwater/records/fold/foldEvents";
import { writeState } from "@headwater/records/writes/writeState";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Fresh, freshPostgres, logger } from "../../../stores/fresh.ts";
import { type MemoryStream, startMemoryStream } from "../../projector/memoryStream.ts";

let fresh: Fresh<Awaited<ReturnType<typeof freshPostgres>>["store"]>;
let stream: MemoryStream;
beforeAll(async () => {
  fresh = await freshPostgres(true, { keyLookupsOnly: true });
  stream = await startMemoryStream(fresh, { cdpsync: { hashedIdentities: true } });
});
afterAll(() => stream.drop());

const ANN = "ann@example.com";
const hashed = (email: string) => ({ [hashedNameOf({ encoding: "sha1", name: "email" })]: hashAddress("sha1", email) });
const found = (value: string, name = "email") =>
  readContactByIdentifiers(stream.postgres, stream.account.number, [{ name, value }]);
let sent = 0;
function append(identifiers: object, attributes: object = { plan: "gold" }): void {
  const contact = { identifiers, attributes, canBeCreated: true, canBeUpdated: true };
  sent += 1;
  stream.append("upsertContact", [{ id: `request${sent}:0:0`, receivedAt: stream.clock.nowMs(), contact }]);
}
function send(identifiers: object, attributes?: object) {
  append(identifiers, attributes);
  stream.clock.advance(1_000);
  return stream.apply();
}
const docOf = async (value: string, name?: string) => (await found(value, name))?.doc ?? "";

/** Waits until the indexes are what the settings ask for. */
async function withIndexes(run: () => Promise<void>): Promise<void> {
  const indexes = createHashIndexes({ postgres: stream.postgres, url: fresh.url, applicationName: "test", logger });
  await indexes.start?.();
  try {
    await vi.waitFor(async () => expect(await findIndexChanges(stream.postgres)).toEqual([]), { timeout: 30_000 });
    await run();
  } finally {
    await indexes.stop?.();
  }
}

test("a hash finds the contact that has the address, before its index stands and with it", async () => {
  await send({ email: ANN });
  append({ email: "bob@example.com" });
  append(hashed(ANN), { beforeIndex: "yes" });
  await send(hashed("bob@example.com"), { inOneBatch: "yes" });
  expect(await docOf(ANN)).toContain("beforeIndex");
  expect(await docOf("bob@example.com")).toContain("inOneBatch");
  await withIndexes(async () => {
    await send(hashed(ANN), { withIndex: "yes" });
    expect(await docOf(ANN)).toContain("withIndex");
  });
});

test("look-ups go by the index once it stands, and an account without the setting has none", async () => {
  const { postgres, account } = stream;
  await withIndexes(async () => {
    await postgres.execute(
      {
        text: `INSERT INTO contact_identifiers (account, name, value, contact)
          SELECT $1, 'email', 'many' || n || '@example.com', 1 FROM generate_series(1, 20000) AS n`,
      },
      [account.number],
    );
    await postgres.execute({ text: "ANALYZE contact_identifiers" });
    const text = `EXPLAIN SELECT name, value FROM contact_identifiers WHERE account = ${account.number}
      AND address_hashes(value) && (SELECT array_agg(decode(hash, 'hex')) FROM unnest($1::text[]) AS hash)`;
    const plan = await postgres.query({ text }, [`{${hashAddress("sha1", ANN)}}`]);
    expect(JSON.stringify(plan)).toContain(`contact_identifiers_hashed_${account.number}`);
    await postgres.execute({ text: "DELETE FROM contact_identifiers WHERE value LIKE 'many%'" });
  });
  const off = { text: `UPDATE intake.accounts SET settings = settings #- '{partners,cdpsync,hashedIdentities}'` };
  const on = {
    text: `UPDATE intake.accounts SET settings = jsonb_set(settings, '{partners,cdpsync,hashedIdentities}', 'true')`,
  };
  await postgres.execute(off);
  expect(await findIndexChanges(postgres)).toMatchObject([{ text: expect.stringContaining("DROP INDEX") }]);
  await withIndexes(async () => {
    const text = "SELECT count(*) AS count FROM pg_indexes WHERE indexname LIKE 'contact_identifiers_hashed_%'";
    expect(await postgres.query({ text })).toEqual([{ count: 0 }]);
  });
  await postgres.execute(on);
});

test("an index that a kill left half built is dropped and built anew", async () => {
  const { postgres, account } = stream;
  const name = `contact_identifiers_hashed_${account.number}`;
  await withIndexes(async () => undefined);
  await postgres.execute({ text: `UPDATE pg_index SET indisvalid = false WHERE indexrelid = '${name}'::regclass` });
  expect(await findIndexChanges(postgres)).toHaveLength(2);
  await withIndexes(async () => {
    await send(hashed(ANN), { builtAnew: "yes" });
    expect(await docOf(ANN)).toContain("builtAnew");
  });
});

test("what the log says by a hash is said again of the same contact when it is read again", async () => {
  await send({ customer_id: "7" }, { email: "old@example.com" });
  await send(hashed("old@example.com"), { first: "yes" });
  await send({ customer_id: "7" }, { email: "new@example.com" });
  await send({ email: "old@example.com" }, { second: "yes" });
  const before = [await docOf("7", "customer_id"), await docOf("old@example.com")];
  expect(before[0]).toContain("first");
  const again = "UPDATE stream_offsets SET next_offset = 0, window_from = 0, last_record_id = NULL, greatest_time = 0";
  await stream.postgres.execute({ text: again });
  await stream.apply();
  expect([await docOf("7", "customer_id"), await docOf("old@example.com")]).toEqual(before);
});

test("a late record that names who was erased by a hash is skipped, and leaves nothing behind", async () => {
  const { account, clock, postgres } = stream;
  await send({ email: "gone@example.com" });
  const recordId = "erasure:0:0";
  await retryOnConflict(() =>
    postgres.transaction((transaction) =>
      writeState({ transaction, nowMs: clock.nowMs() + 60_000 }, account, {
        kind: "v2",
        recordId,
        fold: (state, { version }) => {
          const contact = state.find({ name: "email", value: "gone@example.com" });
          if (contact !== undefined) state.erase(contact, version);
          return { changeEvents: noChangeEvents };
        },
      }),
    ),
  );
  const skipped = async () => {
    const text = "SELECT sum(skipped) AS skipped FROM outcome_counts WHERE account = $1";
    const [row] = await postgres.query<{ skipped: string }>({ text }, [account.number]);
    return Number(row?.skipped ?? 0);
  };
  const before = await skipped();
  await send(hashed("gone@example.com"));
  expect(await skipped()).toBe(before + 1);
  const stored = await postgres.query({ text: "SELECT payload FROM rejects WHERE payload::text LIKE $1" }, [
    `%${hashAddress("sha1", "gone@example.com")}%`,
  ]);
  expect(stored).toEqual([]);
});
