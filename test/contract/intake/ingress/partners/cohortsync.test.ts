import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ingress, openedReceipt, post, startIngress, type TestAccount } from "../ingressFixture.ts";
import { contentOf, createPartnerAccount, pushed } from "./partnerFixture.ts";

const ADD = "/api/cohortsync/addContactsToList";
const REMOVE = "/api/cohortsync/removeContactsFromList";

let ingress: Ingress;
let caller: TestAccount;
beforeAll(async () => {
  ingress = await startIngress();
  caller = await createPartnerAccount(ingress);
});
afterAll(() => ingress.stop());

const cohort = (over: object = {}) => ({
  cohortId: "c7hfq2d",
  cohortName: "High Value Users",
  contacts: [{ email: "ann@example.com" }, { email: "bob@example.com" }],
  ...over,
});
const send = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  pushed(ingress, { path, key: caller.key, body, headers });

describe("a cohort", () => {
  test("becomes the same records as intake's own call on its list, found by the partner's id", async () => {
    const { answer, records } = await send(ADD, cohort());
    expect([answer.status, answer.headers.get("headwater-receipt")]).toEqual([202, answer.body.receipt]);
    const listId = records[0]?.listId;
    const byIntake = await send("/api/addContactsToList", {
      identifiers: [{ email: "ann@example.com" }, { email: "bob@example.com" }],
      listId,
      canBeCreated: false,
    });
    expect(typeof listId).toBe("number");
    expect(records.map(contentOf)).toEqual(byIntake.records.map(contentOf));
    expect(new Set(records.map(({ source }) => source))).toEqual(new Set(["cohortsync"]));
  });

  test("a renamed cohort keeps its list, and another of its first name gets one of its own", async () => {
    const first = await send(ADD, cohort({ cohortId: "r1", cohortName: "Renamed" }));
    const renamed = await send(ADD, cohort({ cohortId: "r1", cohortName: "Now so" }));
    const other = await send(ADD, cohort({ cohortId: "r2", cohortName: "Renamed" }));
    const [a, b, c] = [first, renamed, other].map(({ records }) => records[0]?.listId);
    expect([b, typeof c, c === a]).toEqual([a, "number", false]);
    const removed = await send(REMOVE, cohort({ cohortId: "r1", cohortName: "Whatever" }));
    expect(removed.records[0]).toMatchObject({ listId: a });
  });

  test("of nobody is taken and does nothing: no record is written, and no list is made", async () => {
    const empty = { contacts: [], cohortId: "empty", cohortName: "Empty" };
    for (const path of [ADD, REMOVE]) {
      const { answer, records } = await send(path, cohort(empty));
      expect([answer.status, records]).toEqual([202, []]);
      expect(openedReceipt(answer.body.receipt ?? "").parts).toEqual([]);
    }
    const text = "SELECT count(*) AS count FROM intake.partner_lists WHERE external_id = 'empty'";
    expect(await ingress.database.query({ text })).toEqual([{ count: 0 }]);
  });

  test("nobody knows: nothing to do, and still 202", async () => {
    const { answer, records } = await send(REMOVE, cohort({ cohortId: "never", cohortName: "Never Seen" }));
    expect([answer.status, records[0]?.listName]).toEqual([202, "NeverSeen"]);
  });

  test("with a contact that names nobody takes the others, and the log holds the bad one with its reason", async () => {
    const contacts = [{ email: "ok@example.com" }, { email: null }, { email: "bad\u0000@example.com" }, "x"];
    const { answer, records } = await send(ADD, cohort({ contacts }));
    expect(answer.status).toBe(202);
    const [taken, ...refused] = records;
    expect(taken).toMatchObject({ contact: { identifiers: { email: "ok@example.com" } } });
    expect(refused).toMatchObject(
      [1, 2, 3].map((index) => ({
        push: "cohortsync/addContactsToList",
        verdict: "rejected",
        code: "VALIDATION_ERROR",
        path: `/contacts/${index}`,
      })),
    );
  });
});

describe("the order of checks", () => {
  const large = `"${"x".repeat(10 * 1024 * 1024)}"`;
  test.each([
    ["size before type", large, { "content-type": "text/csv", "x-api-key": "" }, 413, "PAYLOAD_TOO_LARGE"],
    ["type before key", "{", { "content-type": "text/csv", "x-api-key": "" }, 415, "UNSUPPORTED_MEDIA_TYPE"],
    ["key before parsing", "{", { "x-api-key": "hw_nobody" }, 401, "AUTHENTICATION_FAILED"],
    ["parsing before shape", "{", {}, 400, "INVALID_JSON_PROVIDED"],
    ["bytes that are no text", new Uint8Array([0x22, 0xff, 0x22]), {}, 400, "INVALID_JSON_PROVIDED"],
    ["shape", "{}", {}, 400, "VALIDATION_ERROR"],
    ["no contacts", JSON.stringify(cohort({ contacts: null })), {}, 400, "VALIDATION_ERROR"],
  ])("%s", async (_what, body, headers, status, code) => {
    for (const path of [ADD, REMOVE]) {
      const answer = await post(ingress.url, { path, key: caller.key, body, headers });
      expect([path, answer.status, answer.body.code]).toEqual([path, status, code]);
    }
  });

  test("405 for another method", async () => {
    expect((await fetch(`${ingress.url}${ADD}`)).status).toBe(405);
  });
});
