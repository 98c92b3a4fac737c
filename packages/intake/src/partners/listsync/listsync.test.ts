import { createHmac } from "node:crypto";
import { accountSettings, defaultSettings } from "@headwater/contracts";
import { describe, expect, test } from "vitest";
import { withoutAbsent } from "../reading.ts";
import { listMembership, syncHash } from "./listMembership/listMembership.ts";

const context = { settings: defaultSettings, accountId: "a".repeat(24), nowMs: 0, bodyHash: "" };
const mapping = (id: string) => ({ fields: [{ field_id: "x", field_type: "identity_mapping", value: { id } }] });
const page = (over: object = {}) => ({
  action_type: "segment.users.sync",
  data: {
    segment: { id: "9223372036854775807", name: "Likely to buy" },
    sync_info: { page_number: 2, total_pages: 3, sync_task_id: "t1" },
    add: [{ id: "a@x.org" }, { id: 7 }],
    remove: [{ id: "c@x.org" }],
  },
  ...over,
});
const mapped = (pushed: object, settings = defaultSettings) =>
  listMembership.map(listMembership.body.parse(withoutAbsent(pushed)), { ...context, settings });

describe("a page", () => {
  test("adds and removes contacts of the segment's list, whose 64-bit id keeps every digit", () => {
    const list = { externalId: "9223372036854775807", name: "Likely to buy", isMade: true };
    expect(mapped(page({ customer_config: mapping("customer_id") })).parts).toEqual([
      {
        kind: "item",
        path: "/data/add",
        operation: "addContactsToList",
        body: { identifiers: [{ customer_id: "a@x.org" }, { customer_id: 7 }], canBeCreated: false },
        list,
      },
      {
        kind: "item",
        path: "/data/remove",
        operation: "removeContactsFromList",
        body: { identifiers: [{ customer_id: "c@x.org" }] },
        list: { ...list, isMade: false },
      },
    ]);
  });

  test("without a mapping field goes by the account's setting, else by its first primary name", () => {
    const partners = { listsync: { identifier: "customer_id" } };
    const keyOf = (settings = defaultSettings) => mapped(page({ customer_config: { fields: [] } }), settings).parts[0];
    expect(keyOf()).toMatchObject({ body: { identifiers: [{ email: "a@x.org" }, { email: 7 }] } });
    const nameless = mapped(page({ customer_config: mapping("") })).parts[0];
    expect(nameless).toMatchObject({ body: { identifiers: [{ email: "a@x.org" }, { email: 7 }] } });
    const configured = keyOf(accountSettings.parse({ partners }));
    expect(configured).toMatchObject({ body: { identifiers: [{ customer_id: "a@x.org" }, { customer_id: 7 }] } });
  });

  test("is named by its task and number, in whatever form they come", () => {
    const of = (page_number: unknown) => {
      const { data, ...rest } = page();
      return mapped({ ...rest, data: { ...data, sync_info: { page_number, sync_task_id: 51 } } }).page;
    };
    expect([of(2), of("2"), of(3)]).toEqual(["51\n2", "51\n2", "51\n3"]);
  });

  test("with contacts that name nobody takes the others", () => {
    const { data, ...rest } = page();
    const pushed = { ...rest, data: { ...data, add: [{ id: null }, {}, "x", { id: "ok@x.org" }], remove: [] } };
    expect(mapped(pushed).parts).toMatchObject([
      { kind: "item", body: { identifiers: [{ email: "ok@x.org" }] } },
      { kind: "refused", path: "/data/add/0" },
      { kind: "refused", path: "/data/add/1" },
      { kind: "refused", path: "/data/add/2", part: "x" },
    ]);
  });
});

describe("a drain", () => {
  const drain = (over: object = {}) => page({ action_type: "segment.users.drain", ...over });

  test("empties the segment's list, which is not made for it, and does nothing else", () => {
    expect(mapped(drain()).parts).toEqual([
      {
        kind: "item",
        path: "/data/segment",
        operation: "clearList",
        body: {},
        list: { externalId: "9223372036854775807", name: "Likely to buy", isMade: false },
      },
    ]);
  });

  test("is another page than the sync of the same task and number, and its repeat is the same", () => {
    expect(mapped(drain()).page).toBe(mapped(drain({ customer_config: mapping("email") })).page);
    expect(mapped(drain()).page).not.toBe(mapped(page()).page);
  });

  test("is one of two actions, and there is no third", () => {
    const isTaken = (action_type: string) => listMembership.body.safeParse(page({ action_type })).success;
    expect(["segment.users.sync", "segment.users.drain", "segment.users.delete"].map(isTaken)).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe("Sync-Hash", () => {
  const body = Buffer.from('{"a": 1}');
  const nowMs = 1_767_998_832_000;
  const signed = (over: object) => {
    const secrets: [string, string] = ["secret-one", "secret-two"];
    return { header: undefined, bytes: body, secrets, settings: defaultSettings, nowMs, ...over };
  };
  const digest = (t: string | number, secret = "secret-one", bytes: Buffer = body) =>
    createHmac("sha256", secret).update(`${t}${bytes}`).digest("base64");
  const header = (t: string | number, secret?: string, bytes?: Buffer) => `ts:${t},hmac:${digest(t, secret, bytes)}`;
  const seconds = nowMs / 1_000;

  test.each([
    ["milliseconds", header(nowMs)],
    ["seconds", header(seconds)],
    ["the second secret", header(nowMs, "secret-two")],
    ["parts in another order, with blanks", ` hmac:${digest(nowMs)} , ts:${nowMs}`],
    ["a part nobody knows", `${header(nowMs)},v:2`],
    ["almost a day old", header(nowMs - 24 * 3_600_000)],
    ["a minute ahead", header(nowMs + 60_000)],
  ])("is right with %s", (_what, input) => {
    expect(syncHash.isRight(signed({ header: input }))).toBe(true);
  });

  test.each([
    ["nothing", undefined],
    ["an empty text", ""],
    ["no time", `hmac:${digest(nowMs)}`],
    ["no signature", `ts:${nowMs}`],
    ["another secret", header(nowMs, "secret-three")],
    ["another body", header(nowMs, "secret-one", Buffer.from('{"a":1}'))],
    ["a signature that was cut", header(nowMs).slice(0, -4)],
    ["a signature that was made longer", `${header(nowMs)}=`],
    ["another time than was signed", `ts:${nowMs + 1},hmac:${digest(nowMs)}`],
    ["two times", `ts:${nowMs},${header(nowMs)}`],
    ["a time of 12 digits", header(String(nowMs).slice(0, 12))],
    ["a time that is no number", header("yesterday-was1")],
    ["more than a day", header(nowMs - 24 * 3_600_000 - 1)],
    ["more than a minute ahead", header(nowMs + 60_001)],
    ["hex for base64", `ts:${nowMs},hmac:${Buffer.from(digest(nowMs), "base64").toString("hex")}`],
  ])("is wrong with %s", (_what, provided) => {
    expect(syncHash.isRight(signed({ header: provided }))).toBe(false);
  });

  test("may be as old as the account says", () => {
    const settings = accountSettings.parse({ partners: { listsync: { ageSecondsMax: 300 } } });
    const aged = (ms: number) => syncHash.isRight(signed({ header: header(nowMs - ms), settings }));
    expect([aged(300_000), aged(300_001)]).toEqual([true, false]);
  });
});
