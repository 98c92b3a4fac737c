import { versionOf } from "@headwater/contracts";
import { upsertRejects } from "@headwater/intake/deadLetters/rejects";
import { insertAttributeClear } from "@headwater/records/attributes/attributeClears";
import { emptyDocument } from "@headwater/records/contacts/contactDocument";
import { insertMerges } from "@headwater/records/contacts/merges";
import { loadListsByName } from "@headwater/records/lists/lists";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Running, storedTime } from "../service/running.ts";
import { AT } from "../service/seed.ts";
import { CID, MERGED, seedWorld, THEIRS, type World } from "../service/world.ts";

let service: Running;
let mine: World["mine"];
let other: World["other"];
const at = (seconds: number) =>
  versionOf(AT + seconds * 1_000, { lane: 1, partition: 3, offset: 1_000 + seconds, place: 2 });
const time = (seconds: number) => new Date(AT + seconds * 1_000).toISOString();

beforeAll(async () => {
  ({ service, mine, other } = await seedWorld());
  const { postgres } = service;
  const field = (name: string, text: string, seconds: number, kind = "string") => {
    const number = kind === "number" ? Number(text) : null;
    return { field: name, contact: 1, kind, text, number, version: at(seconds), at: storedTime(AT + seconds * 1_000) };
  };
  await service.insert("contact_fields_history", mine.account, [
    field("attributes.plan", "gold", 1),
    field("attributes.score", "12.5", 1, "number"),
    field("attributes.plan", "free", 2),
    field("attributes.plan", "", 6, "removed"),
    field("attributes.tags", '["a","b"]', 7, "array"),
    { ...field("attributes.plan", "theirs", 9), contact: 4 },
  ]);
  const [vip] = await loadListsByName(postgres, [{ account: mine.account.number, name: "vip" }]);
  const member = {
    list: vip?.id ?? 0,
    contact: 1,
    present: 1,
    joined_at: storedTime(AT),
    version: at(4),
    at: storedTime(AT),
  };
  await service.insert("memberships_history", mine.account, [member]);
  const gold = JSON.stringify({ v: [at(1)], identifiers: [], attributes: ["plan", "gold", 0], channels: [] });
  const free = { v: [at(2)], identifiers: ["anonymousId", "x1"], attributes: ["plan", "free", 0], channels: [] };
  const before = JSON.stringify({ survivor: gold, merged: JSON.stringify(free), memberships: [], carts: {} });
  const merge = { account: mine.account.number, survivor: 1, merged: 2, at: AT + 5_000, version: at(5), before };
  await postgres.transaction((transaction) => insertMerges(transaction, [{ ...merge, byRecord: "request:0:0" }]));
  const position = { topic: "intake.records", partition: 3, logOffset: 1_007, place: 2, itemIndex: 0 };
  const parked = { code: "CONTACTS_CONTACT_NOT_FOUND", path: "", message: "", payload: "{}", version: at(7) };
  const name = {
    account: mine.account.number,
    recordId: "parked:0:0",
    requestId: "parked",
    operation: "upsertContact",
  };
  const times = { receivedAt: AT, rejectedAt: AT, attempts: 1, dueAt: null };
  const row = { ...name, ...position, ...parked, ...times, status: "applied" } as const;
  await postgres.transaction((transaction) => upsertRejects(transaction, [row]));
});

afterAll(() => service.stop());

const get = (key: string, more = "", apiKey = mine.key) => service.call(apiKey, `/v2/contacts/${key}/history${more}`);

const identity = { identifiers: { anonymousId: "x1" }, channels: {}, attributes: { plan: "free" } };
const NEWEST_FIRST = [
  {
    version: at(7),
    at: time(7),
    by: { kind: "redrive", id: "parked:0:0" },
    changes: [{ path: "attributes.tags", from: null, to: ["a", "b"] }],
  },
  {
    version: at(6),
    at: time(6),
    by: { kind: "record", id: "intake.records/3/1006/2" },
    changes: [{ path: "attributes.plan", from: "free", to: null }],
  },
  {
    version: at(5),
    at: time(5),
    by: { kind: "merge", id: "request:0:0" },
    changes: [
      { path: "attributes.plan", from: "gold", to: "free" },
      { path: `contacts.${MERGED}`, from: { cID: MERGED, ...identity }, to: null },
      { path: "identifiers.anonymousId", from: null, to: "x1" },
    ],
  },
  {
    version: at(4),
    at: time(4),
    by: { kind: "record", id: "intake.records/3/1004/2" },
    changes: [{ path: "lists.vip", from: null, to: time(0) }],
  },
  {
    version: at(1),
    at: time(1),
    by: { kind: "record", id: "intake.records/3/1001/2" },
    changes: [
      { path: "attributes.plan", from: null, to: "gold" },
      { path: "attributes.score", from: null, to: 12.5 },
    ],
  },
];

describe("GET /v2/contacts/{primary_key}/history", () => {
  test("shows who changed what and when, the newest first; a merge shows what it overwrote and what the other was", async () => {
    const { status, body } = await get(CID);
    expect(status).toBe(200);
    expect(body.data).toEqual(NEWEST_FIRST);
    expect(body.asOf).toBeDefined();
  });

  test.each([MERGED, "anonymousId:x1", "ada@example.com"])("answers the survivor by %s", async (key) => {
    expect((await get(key)).body.data).toEqual(NEWEST_FIRST);
  });

  test("pages by cursor, and each page follows from the one before", async () => {
    const first = await get(CID, "?per_page=2&fields=version");
    expect(first.headers.link).toContain("/history?per_page=2");
    const second = await get(CID, `?per_page=2&fields=version&cursor=${first.body.pagination.next_cursor}`);
    const third = await get(CID, `?per_page=2&fields=version&cursor=${second.body.pagination.next_cursor}`);
    const pages = [first, second, third].flatMap(({ body }) => body.data);
    expect(pages).toEqual(NEWEST_FIRST.map(({ version }) => ({ version })));
    expect(third.body.pagination.next_cursor).toBeNull();
    expect((await get(CID, "?page=2&per_page=2&fields=version")).body.data).toEqual(second.body.data);
    expect((await get(CID, "?cursor=nonsense")).body.code).toBe("INVALID_CURSOR");
  });

  test("is empty for a contact nothing is known of, and never shows another account's", async () => {
    expect((await get(THEIRS, "", other.key)).body.data).toEqual([]);
    for (const [key, apiKey] of [
      [THEIRS, mine.key],
      [CID, other.key],
      ["nobody@example.com", mine.key],
    ] as const) {
      const { status, body } = await get(key, "", apiKey);
      expect([status, body.code]).toEqual([404, "CONTACTS_CONTACT_NOT_FOUND"]);
    }
  });

  test("needs the scope of contacts", async () => {
    const key = await service.key(mine.account, { scopes: ["orders:read"] });
    expect((await get(CID, "", key)).status).toBe(403);
  });

  test("waits for the work of `after`, and shows a merge whose document is of an earlier form", async () => {
    expect((await get(CID, "?after=nonsense")).body.code).toBe("BAD_REQUEST");
    const before = JSON.stringify({ survivor: emptyDocument, merged: emptyDocument, memberships: [], carts: {} });
    const merge = { account: other.account.number, survivor: 3, merged: 3, at: AT, version: at(0), before };
    await service.postgres.transaction((transaction) => insertMerges(transaction, [{ ...merge, byRecord: "r:0:0" }]));
    expect((await get(THEIRS, "", other.key)).body.data).toMatchObject([{ by: { kind: "merge", id: "r:0:0" } }]);
  });
});

describe("an attribute whose definition was deleted", () => {
  test("is not in the history, nor in what a merge brought; what was written since is, and comes from nothing", async () => {
    const { postgres } = service;
    const { number: account } = mine.account;
    await postgres.transaction((transaction) =>
      insertAttributeClear(transaction, { account, key: "plan", version: at(6) }, "auto"),
    );
    const since = { field: "attributes.plan", contact: 1, kind: "string", text: "new", number: null };
    await service.insert("contact_fields_history", mine.account, [
      { ...since, version: at(8), at: storedTime(AT + 8_000) },
    ]);
    const { data } = (await get(CID)).body;
    const changes = data.flatMap((entry: { changes: { path: string }[] }) => entry.changes);
    const plans = changes.filter(({ path }: { path: string }) => path === "attributes.plan");
    expect(plans).toEqual([{ path: "attributes.plan", from: null, to: "new" }]);
    expect(JSON.stringify(data)).not.toMatch(/gold|free/);
    expect(changes.map(({ path }: { path: string }) => path)).toContain("attributes.score");
  });
});
