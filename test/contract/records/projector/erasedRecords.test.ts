import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { erasedHashOf } from "@headwater/kernel";
import { retryOnConflict } from "@headwater/postgres/connection/writeConflict";
import { readContactByIdentifiers } from "@headwater/records/contacts/contactReads";
import { readErasureSecret } from "@headwater/records/erasures/erasureSecret";
import { noChangeEvents } from "@headwater/records/fold/foldEvents";
import { writeState } from "@headwater/records/writes/writeState";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type MemoryStream, startMemoryStream } from "../../intake/projector/memoryStream.ts";

let stream: MemoryStream;
beforeAll(async () => {
  stream = await startMemoryStream();
});
afterAll(() => stream.drop());

const email = { name: "email", value: "ada@example.com" };
const found = () => readContactByIdentifiers(stream.postgres, stream.account.number, [email]);
let sent = 0;
function send(identifiers: object) {
  const contact = { identifiers, attributes: { plan: "gold" }, canBeCreated: true, canBeUpdated: true };
  sent += 1;
  stream.append("upsertContact", [{ id: `request${sent}:0:0`, receivedAt: stream.clock.nowMs(), contact }]);
  return stream.apply();
}

function erase(): Promise<unknown> {
  const { account, clock, postgres } = stream;
  return retryOnConflict(() =>
    postgres.transaction((transaction) =>
      writeState({ transaction, nowMs: clock.nowMs() }, account, {
        kind: "v2",
        recordId: "erasure:0:0",
        fold: (state, { version }) => {
          const contact = state.find(email);
          if (contact !== undefined) state.erase(contact, version);
          return { changeEvents: noChangeEvents };
        },
      }),
    ),
  );
}

test("records of before an erasure are skipped when they come late or again, and later ones make a new contact", async () => {
  await send({ email: email.value, customer_id: "17" });
  const first = await found();
  expect(first).toBeDefined();
  await erase();
  expect(await found()).toBeUndefined();

  const again = "UPDATE stream_offsets SET next_offset = 0, window_from = 0, last_record_id = NULL, greatest_time = 0";
  await stream.postgres.execute({ text: again });
  await stream.apply();
  expect(await found()).toBeUndefined();
  const text = "SELECT sum(skipped) AS skipped FROM outcome_counts WHERE account = $1";
  const counted = await stream.postgres.query<{ skipped: string }>({ text }, [stream.account.number]);
  expect(Number(counted[0]?.skipped)).toBe(1);

  stream.clock.advance(60_000);
  await send({ customer_id: "17" });
  await send({ email: email.value });
  const anew = await found();
  expect(anew).toBeDefined();
  expect(anew?.cid).not.toBe(first?.cid);
});

test("what was kept without a key before is kept with it, and goes on to bring nobody back", async () => {
  const { postgres, account } = stream;
  const plain = createHash("sha256").update(`${account.id}\nerased\nemail\nbo@example.com`).digest("hex");
  const version = "ffffffff-ffff-ffff-ffff-ffffffffffff";
  await postgres.execute({ text: "DROP TABLE erasure_secret, erased_keys" });
  await postgres.execute({ text: "INSERT INTO erased_identifiers VALUES ($1, $2, $3)" }, [
    account.number,
    plain,
    version,
  ]);
  for (const name of ["024_erasures_kept", "027_erasure_secret_outside"]) {
    const migration = `../../../../packages/postgres/src/migrations/${name}.sql`;
    await postgres.execute({ text: await readFile(new URL(migration, import.meta.url), "utf8") });
  }
  const stored = await postgres.query<{ hash: string }>({ text: "SELECT hash FROM erased_identifiers" });
  const identifier = { name: "email", value: "bo@example.com" };
  const keyed = erasedHashOf(await readErasureSecret(postgres), account.id, identifier);
  expect(stored).toContainEqual({ hash: keyed });
  expect(stored).not.toContainEqual({ hash: plain });
  const text = "SELECT kind, key FROM erased_keys WHERE account = $1";
  expect(await postgres.query({ text }, [account.number])).toContainEqual({ kind: "contact", key: "1" });
  await send({ email: identifier.value });
  expect(await readContactByIdentifiers(postgres, account.number, [identifier])).toBeUndefined();
});
