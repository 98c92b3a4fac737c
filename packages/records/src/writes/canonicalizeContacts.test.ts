import { createAccount } from "@headwater/accounts/accounts/accounts";
import { type Account, accountSettings } from "@headwater/contracts";
import { manualClock, newAccountId } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { type MemoryPostgres, startMemoryPostgres } from "@headwater/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fromRow } from "../contacts/contactDocument.ts";
import { pageContacts } from "../contacts/contactReads.ts";
import { membersView } from "../contacts/membersView.ts";
import { writeContact } from "../contacts/writeContact.ts";
import { canonicalizeContacts } from "./canonicalizeContacts.ts";
import { writeState } from "./writeState.ts";

let memory: MemoryPostgres;
beforeAll(async () => {
  memory = await startMemoryPostgres();
});
afterAll(() => memory.stop());

const clock = manualClock(Date.parse("2026-11-29T12:00:00Z"));
const marksInvalid = true;
/** Several steps. */
const PEOPLE = 250;
const numberOf = (person: number) => `660${String(1_000_000 + person)}`;

/** Returns an account whose contacts were stored before it had a country: of every fifth there is a second contact in E.164. */
async function accountOfBefore(): Promise<Account> {
  const settings = accountSettings.parse({});
  const { postgres } = memory;
  const account = await createAccount(postgres, { id: newAccountId(), name: newAccountId(), settings });
  const people = Array.from({ length: PEOPLE }, (_, person) => person);
  const older = people.map((person) => ({ phone: `0${numberOf(person)}`, customer_id: `c${person}` }));
  const newer = [
    ...people.filter((person) => person % 5 === 0).map((person) => ({ phone: `+43${numberOf(person)}` })),
    // One pair cannot be merged.
    { phone: `+43${numberOf(1)}`, customer_id: "another" },
    { email: "ann@example.com" },
  ];
  await createContacts(account, { identifiers: older, nowMs: clock.nowMs() - 1_000 });
  await createContacts(account, { identifiers: newer, nowMs: clock.nowMs() });
  return { ...account, settings: accountSettings.parse({ country: "AT" }) };
}

interface Creation {
  readonly identifiers: readonly Record<string, string>[];
  readonly nowMs: number;
}

async function createContacts(account: Account, { identifiers, nowMs }: Creation): Promise<void> {
  await memory.postgres.transaction((transaction) =>
    writeState({ transaction, nowMs }, account, {
      kind: "v2",
      recordId: `${account.id}${nowMs}:0:0`,
      fold: (state, { version }) => {
        const changeEvents = identifiers.flatMap((one, index) => {
          const contact = { identifiers: one, attributes: { index }, canBeCreated: true };
          const own = { account, version, recordId: `${account.id}${nowMs}${index}:0:0` };
          const written = writeContact(state, { contact, lists: {} }, own);
          if (written.kind !== "written") throw new Error(written.kind);
          return written.changeEvents;
        });
        return { changeEvents };
      },
    }),
  );
}

const whole = { rewritten: PEOPLE - PEOPLE / 5 - 1, merged: PEOPLE / 5, apart: 1, invalid: 0 };
const nothing = { rewritten: 0, merged: 0, apart: 1, invalid: 0 };

/** Returns what each live contact shows, in the order of their creation. */
async function visibleIn({ number: account }: Account) {
  const { rows } = await memory.postgres.transaction((session) =>
    pageContacts(session, { account, direction: "asc", skip: 0, rowsMax: 1_000, bytesMax: 64 * 1024 * 1024 }),
  );
  return rows.map((row) => {
    const contact = fromRow({ ...row, account, version: "0".repeat(32), mergedInto: null });
    return Object.fromEntries([...membersView(contact, "0".repeat(32))].map(([path, { value }]) => [path, value]));
  });
}

async function mergesOf({ number }: Account): Promise<number> {
  const [row] = await memory.postgres.query<{ merges: number }>(
    {
      text: "SELECT count(*)::int AS merges FROM merges WHERE account = $1",
    },
    [number],
  );
  return row?.merges ?? 0;
}

test("a trial counts what would be rewritten, merged and left apart, and changes nothing", async () => {
  const account = await accountOfBefore();
  const before = await visibleIn(account);
  const done = await canonicalizeContacts({ account, clock, marksInvalid, isTrial: true }, memory.postgres);
  expect(done).toMatchObject(whole);
  expect(done.pairs).toMatchObject([{ name: "phone", contacts: [expect.any(String), expect.any(String)] }]);
  expect([await visibleIn(account), await mergesOf(account)]).toEqual([before, 0]);
});

test("all stored forms are rewritten once, a repeat finds nothing left, and an account without them is only read", async () => {
  const account = await accountOfBefore();
  expect(await canonicalizeContacts({ account, clock, marksInvalid, isTrial: false }, memory.postgres)).toMatchObject(
    whole,
  );
  const after = await visibleIn(account);
  expect(after).toHaveLength(PEOPLE + 2);
  const view = after.map((contact) => contact["identifiers.phone"]);
  expect(view.filter((phone) => typeof phone === "string" && phone.startsWith("0"))).toEqual([`0${numberOf(1)}`]);
  const steps: unknown[] = [];
  const onStep = (done: unknown) => steps.push(done);
  expect(
    await canonicalizeContacts({ account, clock, marksInvalid, isTrial: false, onStep }, memory.postgres),
  ).toMatchObject(nothing);
  expect([await visibleIn(account), await mergesOf(account)]).toEqual([after, whole.merged]);
  // Contacts go on to be found by their stored forms: a repeat reads those once more, 100 at a time.
  expect(steps.splice(0)).toHaveLength(Math.ceil(PEOPLE / 100));
  const empty = { ...account, number: 0 };
  await canonicalizeContacts({ account: empty, clock, marksInvalid, isTrial: false, onStep }, memory.postgres);
  expect(steps).toEqual([]);
});

test("a run that is killed in a step, or between two, is ended by the next call: no contact is merged twice or left out", async () => {
  const account = await accountOfBefore();
  const killed = async (postgres: Postgres) => {
    await expect(canonicalizeContacts({ account, clock, marksInvalid, isTrial: false }, postgres)).rejects.toThrow(
      "killed",
    );
  };
  await killed(dyingIn(memory.postgres, 2, "before its commit"));
  await killed(dyingIn(memory.postgres, 2, "behind its commit"));
  const [some, twin] = [await mergesOf(account), await accountOfBefore()];
  expect(some).toBeGreaterThan(0);
  expect(some).toBeLessThan(whole.merged);
  await canonicalizeContacts({ account, clock, marksInvalid, isTrial: false }, memory.postgres);
  await canonicalizeContacts({ account: twin, clock, marksInvalid, isTrial: false }, memory.postgres);
  expect(await visibleIn(account)).toEqual(await visibleIn(twin));
  expect([await mergesOf(account), await mergesOf(twin)]).toEqual([whole.merged, whole.merged]);
});

test("values that are not addresses are marked as invalid for ClickHouse where an earlier version stored them, and only there", async () => {
  const settings = accountSettings.parse({});
  const account = await createAccount(memory.postgres, { id: newAccountId(), name: newAccountId(), settings });
  const identifiers = [{ email: "nobody" }, { email: "ann@example.com" }, { phone: "12" }];
  await createContacts(account, { identifiers, nowMs: clock.nowMs() });
  const before = await visibleIn(account);
  await memory.postgres.execute({ text: "DELETE FROM outbox" });
  const marked = { rewritten: 0, merged: 0, apart: 0, invalid: 2 };
  expect(await canonicalizeContacts({ account, clock, marksInvalid, isTrial: false }, memory.postgres)).toMatchObject(
    marked,
  );
  expect(await validityChanges()).toEqual(["channels.email.valid", "channels.sms.valid"]);
  expect(await visibleIn(account)).toEqual(before);
  const none = { account, clock, marksInvalid: false, isTrial: false };
  expect(await canonicalizeContacts(none, memory.postgres)).toMatchObject({ ...marked, invalid: 0 });
});

/** Returns the fields of the change events that mark a channel as invalid. */
async function validityChanges(): Promise<string[]> {
  const rows = await memory.postgres.query<{ payload: string }>({ text: "SELECT o::text AS payload FROM outbox o" });
  return rows.flatMap(({ payload }) => payload.match(/channels\.\w+\.valid/g) ?? []).toSorted();
}

/** Returns a database whose client dies in a transaction: the server rolls it back, or has committed it. */
function dyingIn(postgres: Postgres, nth: number, when: "before its commit" | "behind its commit"): Postgres {
  let transactions = 0;
  const transaction: Postgres["transaction"] = async (run, options = {}) => {
    transactions += 1;
    if (transactions !== nth) return postgres.transaction(run, options);
    if (when === "behind its commit") {
      await postgres.transaction(run, options);
      throw new Error("killed");
    }
    return postgres.transaction(async (session, atCommit) => {
      await run(session, atCommit);
      throw new Error("killed");
    }, options);
  };
  return { ...postgres, transaction };
}
