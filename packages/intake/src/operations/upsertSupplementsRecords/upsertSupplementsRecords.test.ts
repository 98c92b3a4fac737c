import { type Account, defaultSettings, type shapes, versionOf } from "@headwater/contracts";
import type { Supplement } from "@headwater/records/supplements/supplement";
import { MemoryState } from "@headwater/testing";
import { describe, expect, test } from "vitest";
import { operations } from "../registry.ts";
import { upsertSupplementsRecords } from "./upsertSupplementsRecords.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
const [upsertContact] = operations;
const slot = { slot: 1, timezone: "UTC" };
const versionAt = (time: number) => versionOf(time, { lane: 1, partition: 0, offset: time, place: 0 });

/** One account with one table; records get versions in order of arrival, or a time of their own. */
function table(more: Partial<Supplement> = {}) {
  const state = new MemoryState();
  const plain = { indexes: [], contactObject: false, autogenerateIDs: false, clearedVersion: undefined };
  state.defineSupplement(1, { id: 1, key: "cars", ...plain, ...more });
  let sent = 0;
  const send = (record: shapes.SupplementRecordWrite, time = 1_000 + ++sent, recordId = `r${time}:0:3`) => {
    const located = { id: recordId, receivedAt: 0, supplement: "cars", record };
    const [outcome] = state.apply(account, [
      { operation: upsertSupplementsRecords, record: located, version: versionAt(time) },
    ]);
    return outcome;
  };
  const person = (email: string) => {
    const contact = { identifiers: { email }, attributes: { a: 1 }, canBeCreated: true };
    const record = { id: `c${++sent}:0:0`, receivedAt: 0, contact };
    const [outcome] = state.apply(account, [{ operation: upsertContact, record, version: versionAt(1_000 + sent) }]);
    return outcome?.kind === "applied" ? outcome.contact : 0;
  };
  const stored = () => [...state.supplementRecords].map(([key, row]) => [key.split("\n")[2], fieldsOf(row.doc)]);
  return { state, send, person, stored };
}

function fieldsOf(doc: string): object {
  return Object.fromEntries(JSON.parse(doc).members.map(([name, value]: [string, unknown]) => [name, value]));
}

const refusal = (path: string, code = "VALIDATION_ERROR") => ({ kind: "rejected", code, path });

describe("the fields of a record", () => {
  test("absent ones stay, null removes, and what is not ours to store is left out", () => {
    const { send, stored } = table();
    send({ id: "1", model: "A", year: 2019, suppressTriggers: true, ct: "x", lm: "y" });
    expect(send({ id: "1", model: null, colour: "red" })).toMatchObject({ kind: "applied" });
    expect(stored()).toEqual([["1", { model: null, year: 2019, colour: "red" }]]);
  });

  test("dates that are indexed are stored in a form that criteria read", () => {
    const { send, stored } = table({ indexes: [{ field: "sold", type: "date", ...slot }] });
    send({ id: "1", sold: "2026-001", made: "2026-001" });
    expect(stored()).toEqual([["1", { sold: "2026-01-01", made: "2026-001" }]]);
    expect(send({ id: "1", sold: "2026-366" })).toMatchObject(refusal("/records/0/sold", "ATTRIBUTE_TYPE_MISMATCH"));
  });

  test("an equal record is unchanged, an older one is superseded", () => {
    const { send } = table();
    send({ id: "1", model: "A" }, 2_000);
    expect(send({ id: "1", model: "A" }, 3_000)).toMatchObject({ kind: "skipped", code: "UNCHANGED" });
    expect(send({ id: "1", model: "B" }, 2_500)).toMatchObject({ kind: "skipped", code: "SUPERSEDED" });
    expect(send({ id: "1", model: "B", year: 1 }, 2_500)).toMatchObject({ kind: "applied" });
  });

  test("many small writes do not make a record that is too large, and the one that would is refused alone", () => {
    const { send, stored } = table();
    const part = "x".repeat(200_000);
    expect([send({ id: "1", a: part }), send({ id: "1", b: part })].map((one) => one?.kind)).toEqual([
      "applied",
      "applied",
    ]);
    expect(send({ id: "1", c: part })).toMatchObject(refusal("/records/0"));
    expect(Object.keys(stored()[0]?.[1] ?? {})).toEqual(["a", "b"]);
  });

  test("of a table that was cleared since they were written are gone", () => {
    const { state, send, stored } = table();
    send({ id: "1", model: "A", year: 1 }, 2_000);
    const cleared = { indexes: [], contactObject: false, autogenerateIDs: false, clearedVersion: versionAt(3_000) };
    state.defineSupplement(1, { id: 1, key: "cars", ...cleared });
    expect(send({ id: "1", model: "B" }, 2_500)).toMatchObject({ kind: "skipped", code: "SUPERSEDED" });
    expect(send({ id: "1", model: "B" }, 3_500)).toMatchObject({ kind: "applied" });
    expect(stored()).toEqual([["1", { model: "B" }]]);
  });
});

describe("indexed fields", () => {
  const takes: readonly (readonly [shapes.SupplementIndex["type"], unknown, boolean])[] = [
    ["string", "x", true],
    ["string", 1, false],
    ["number", 1.5, true],
    ["number", "-1.5e3", true],
    ["number", "one", false],
    ["date", "2026-01-09", true],
    ["date", "2026-02-30", false],
    ["date", 2026, false],
    ["array", ["a", 1], true],
    ["array", "a", false],
    ["geo", { city: "Rome", loc: { lat: 41.9, lon: 12.5 } }, true],
    ["geo", { loc: { lat: 91, lon: 0 } }, false],
    ["geo", { town: "Rome" }, false],
    ["string", null, true],
  ];

  test.each(takes)("an index of %s and the value %j: taken is %s", (type, value, isTaken) => {
    const { send, stored } = table({ indexes: [{ field: "f/1", type, ...slot }] });
    const outcome = send({ id: "1", "f/1": value });
    if (isTaken) expect(outcome).toMatchObject({ kind: "applied" });
    else expect(outcome).toMatchObject(refusal("/records/0/f~11", "ATTRIBUTE_TYPE_MISMATCH"));
    expect(stored()).toHaveLength(isTaken ? 1 : 0);
  });

  test("take at most 1,024 bytes, of an array each element", () => {
    const { send } = table({
      indexes: [
        { field: "s", type: "string", ...slot },
        { field: "l", type: "array", ...slot },
      ],
    });
    expect(send({ id: "1", s: "ü".repeat(512), l: Array(9).fill("x".repeat(1_024)) })).toMatchObject({
      kind: "applied",
    });
    expect(send({ id: "2", s: "ü".repeat(513) })).toMatchObject(refusal("/records/0/s"));
    expect(send({ id: "2", l: ["x".repeat(1_025)] })).toMatchObject(refusal("/records/0/l"));
  });

  test("a field that was stored before it was indexed does not stop writes of others", () => {
    const { state, send } = table();
    send({ id: "1", year: "old" });
    const indexes = [{ field: "year", type: "number" as const, ...slot }];
    const flags = { contactObject: false, autogenerateIDs: false, clearedVersion: undefined };
    state.defineSupplement(1, { id: 1, key: "cars", indexes, ...flags });
    expect(send({ id: "1", model: "A" })).toMatchObject({ kind: "applied" });
  });
});

describe("ids", () => {
  test("are needed where the table does not make them, and never look like ours", () => {
    const { send } = table();
    expect(send({ model: "A" })).toMatchObject(refusal("/records/0/id"));
    expect(send({ id: "0123456789abcdef01234567" })).toMatchObject(refusal("/records/0/id"));
  });

  test("ids that the table generates are the same for the same record, and only they may be written again", () => {
    const { send, stored } = table({ autogenerateIDs: true });
    send({ model: "A" }, 1_000, "r:0:0");
    send({ model: "B" }, 2_000, "r:0:0");
    const [[id] = []] = stored();
    expect(stored()).toEqual([[expect.stringMatching(/^[0-9a-f]{24}$/), { model: "B" }]]);
    expect(send({ id: String(id), model: "C" }, 3_000)).toMatchObject({ kind: "applied" });
    expect(send({ id: "mine" })).toMatchObject(refusal("/records/0/id"));
  });

  test("of a table the account does not have are refused", () => {
    const state = new MemoryState();
    const record = { id: "r:0:0", receivedAt: 0, supplement: "nowhere", record: { id: "1" } };
    const placed = { operation: upsertSupplementsRecords, record, version: versionAt(1) };
    expect(state.apply(account, [placed])).toMatchObject([refusal("/supplement", "RECORD_NOT_FOUND")]);
  });
});

describe("records of a contact object", () => {
  const contactOf = (state: MemoryState) => [...state.supplementRecords.values()].map(({ contact }) => contact);

  test("belong to the contact that their cID, else their e-mail finds", () => {
    const { state, send, person } = table({ contactObject: true });
    const [ann, bob] = [person("ann@x"), person("bob@x")];
    expect(send({ id: "1", email: " Ann@x " })).toMatchObject({ kind: "applied", contact: ann });
    const cID = state.contacts.get(bob)?.cid;
    expect(send({ id: "2", email: "ann@x", cID })).toMatchObject({ kind: "applied", contact: bob });
    expect(contactOf(state)).toEqual([ann, bob]);
  });

  test("go to another contact with another e-mail, unless that write is superseded", () => {
    const { state, send, person } = table({ contactObject: true });
    const [ann, bob] = [person("ann@x"), person("bob@x")];
    send({ id: "1", email: "ann@x" }, 5_000);
    send({ id: "1", email: "bob@x", model: "A" }, 4_000);
    expect(contactOf(state)).toEqual([ann]);
    send({ id: "1", email: "bob@x" }, 6_000);
    expect(contactOf(state)).toEqual([bob]);
    expect(send({ id: "1", model: "B" }, 7_000)).toMatchObject({ kind: "applied", contact: bob });
  });

  test("wait for a contact that is not there, and must name one", () => {
    const { send, stored } = table({ contactObject: true });
    expect(send({ id: "1", email: "ann@x" })).toMatchObject({
      ...refusal("/records/0/email", "CONTACTS_CONTACT_NOT_FOUND"),
      message: "No contact has this `email`.",
    });
    expect(send({ id: "1", model: "A" })).toMatchObject(refusal("/records/0/email"));
    expect(stored()).toEqual([]);
  });
});
