import { createRedrive } from "@headwater/intake/deadLetters/redrives";
import { newJobId } from "@headwater/kernel";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seedDeadLetters } from "../intake/letters.ts";
import { answersBetween, statements, type Writing } from "./answersBetween.ts";
import { BOB, LATER, seedListed } from "./listedWorld.ts";
import { nowMs, type Running, startService, storedTime } from "./running.ts";
import { AT, versionAt } from "./seed.ts";
import { movesOn } from "./streams.ts";

type Signed = Awaited<ReturnType<Running["account"]>>;

let service: Running;
let mine: Signed;
/** Rows that are not mine for a while are theirs. */
let theirs: Signed;
let key: string;
let job: string;

beforeAll(async () => {
  service = await startService();
  [mine, theirs] = [await service.account(), await service.account()];
  key = await service.key(mine.account, { scopes: ["read", "write", "admin"] });
  job = await seedListed(service.postgres, mine.account);
});
afterAll(() => service.stop());

async function get(path: string, body?: object) {
  const answer = await service.call(key, `/v2/${path}`, body && { method: "POST", body });
  return { status: answer.status, ...answer.body };
}

/** Rows of these tables are mine, and then of nobody I know. */
const handedOver = (tables: readonly string[]) =>
  [mine, theirs].map(({ account: to }) => {
    const accounts = `(${mine.account.number}, ${theirs.account.number})`;
    const texts = tables.map((table) => `UPDATE ${table} SET account = ${to.number} WHERE account IN ${accounts}`);
    return statements(service.postgres, ...texts);
  });

describe("a list and how many there are", () => {
  test.each([
    ["accountcontactattributes", ["attribute_definitions"]],
    ["accountlists", ["lists"]],
    ["orders", ["orders"]],
    ["products", ["products"]],
    ["includes", ["includes"]],
    ["supplements", ["supplements", "supplement_updates"]],
    ["deadletters", ["rejects"]],
    ["deadletters?status=any&from=1970-01-01", ["rejects"]],
    ["jobs", ["jobs"]],
    ["jobs/JOB/rejections", ["job_rejections"]],
  ])("are of one snapshot: %s", async (path, tables) => {
    const url = `${path.replace("JOB", job)}${path.includes("?") ? "&" : "?"}return_count=true`;
    const { atRest, between } = await answersBetween(handedOver(tables), async () => {
      const { status, data, pagination } = await get(url);
      return [status, data?.length, pagination?.total];
    });
    expect([...atRest][1]).toBe("[200,0,0]");
    expect(between).toEqual(atRest);
  });
});

describe("what two reads of the store make one answer of", () => {
  /** Bob is merged into Ada and split off again; what is his goes with him. */
  const merging = (): Writing[] =>
    [1, 2].map((number) => {
      const of = `account = ${mine.account.number}`;
      return statements(
        service.postgres,
        `UPDATE contacts SET merged_into = ${number === 1 ? 1 : "NULL"} WHERE ${of} AND number = 2`,
        `UPDATE contact_identifiers SET contact = ${number} WHERE ${of} AND value = 'bob@x.org'`,
        `UPDATE orders SET contact = ${number} WHERE ${of}`,
        `UPDATE carts SET contact = ${number} WHERE ${of}`,
      );
    });

  test.each([
    `orders?cID=${BOB}&return_count=true`,
    "orders?email=bob@x.org",
    `orders?cID=${BOB}&email=bob@x.org`,
    `contacts?cID=${BOB}&email=bob@x.org`,
    `contacts/${BOB}/cart`,
  ])("finds what a contact has, whoever is merged meanwhile: %s", async (path) => {
    const found = async () => {
      const { status, data, items, pagination } = await get(path);
      return [status, items?.length, data?.map(({ cID }: { cID: string }) => cID), pagination?.total];
    };
    const { atRest, between } = await answersBetween(merging(), found);
    expect([...atRest].filter((answer) => !answer.startsWith("[200") || answer.includes("[]"))).toEqual([]);
    expect(between).toEqual(atRest);
  });

  test("a page of contacts shows each with the lists of its own version", async () => {
    const of = `account = ${mine.account.number}`;
    const states = [true, false].map((present) =>
      statements(
        service.postgres,
        `UPDATE memberships SET present = ${present} WHERE ${of}`,
        `UPDATE contacts SET modified_at = ${present ? AT : AT + 1_000} WHERE ${of}`,
      ),
    );
    const { atRest, between } = await answersBetween(states, async () => (await get("contacts")).data);
    expect(atRest.size).toBe(2);
    expect(between).toEqual(atRest);
  });

  test("a list that is deleted has all its members, or is not there", async () => {
    const of = `account = ${mine.account.number}`;
    const states = ["NULL", "1"].map((deleted) =>
      statements(
        service.postgres,
        `UPDATE lists SET deleted_at = ${deleted} WHERE ${of} AND id = 2`,
        `UPDATE memberships SET present = ${deleted === "NULL"} WHERE ${of} AND list = 2`,
      ),
    );
    const counted = async () => {
      const { status, count } = await get("accountlists/2/count");
      return [status, count];
    };
    const { atRest, between } = await answersBetween(states, counted);
    expect([...atRest]).toEqual(["[200,2]", "[404,null]"]);
    expect(between).toEqual(atRest);
  });

  test("a job of the state that was asked for is in it", async () => {
    const states = ["Pending", "Done"].map((status) =>
      statements(service.postgres, `UPDATE jobs SET status = '${status}' WHERE id = '${job}'`),
    );
    const listed = async () => (await get("jobs?status=Pending")).data.map((one: { status: string }) => one.status);
    const { atRest, between } = await answersBetween(states, listed);
    expect([...atRest]).toEqual(['["Pending"]', "[]"]);
    expect(between).toEqual(atRest);
  });
});

describe("a redrive", () => {
  test("counts its records and their ends together", async () => {
    const { postgres } = service;
    const id = newJobId();
    const created = { id, account: mine.account.number, selection: {}, patch: null, scopes: [], madeBy: "k" };
    await createRedrive(postgres, { ...created, createdAt: nowMs(), selected: 3 });
    const deadLetters = ["0", "1"].map((position) => ({ recordId: `${id}:${position}:0`, more: { requestId: id } }));
    await seedDeadLetters(postgres, mine.account, deadLetters);
    await movesOn(() => postgres)("state", 0, 9);
    const part = { topic: "intake.records", partition: 0, firstOffset: 5, lastOffset: 5, count: 3 };
    const states = [
      { parts: [part], requestId: id, written: "1" },
      { parts: [], requestId: "another", written: "NULL" },
    ].map(({ parts, requestId, written }) =>
      statements(
        postgres,
        `UPDATE redrives SET parts = '${JSON.stringify(parts)}', written_at = ${written}, started_at = 1 WHERE id = '${id}'`,
        `UPDATE rejects SET request_id = '${requestId}' WHERE record_id LIKE '${id}:%'`,
      ),
    );
    for (const path of [`jobs/${id}`, "jobs?jobName=RedriveDeadLetters"]) {
      const { atRest, between } = await answersBetween(states, async () => {
        const body = await get(path);
        const { status, result } = body.data?.[0] ?? body;
        return [status, result.updated, result.rejected];
      });
      expect(between).toEqual(atRest);
    }
  });

  test("a dry run of a redrive judges as many letters as are selected", async () => {
    const of = `account = ${mine.account.number} AND request_id = 'r1'`;
    const states = ["open", "discarded"].map((status) =>
      statements(service.postgres, `UPDATE rejects SET status = '${status}' WHERE ${of}`),
    );
    const tried = async () => {
      const { judged: validated, selected } = await get("deadletters/redrive", {
        select: { code: "CONTACTS_CONTACT_NOT_FOUND" },
        dryRun: true,
      });
      return [validated, selected];
    };
    const { atRest, between } = await answersBetween(states, tried);
    expect(between).toEqual(atRest);
  });
});

describe("records of a supplement", () => {
  beforeAll(async () => {
    for (const id of ["x", "y", "z"]) await get("supplements/a/records", { id, n: 1, t: 1 });
  });

  test.each(["", "?n=1", "?return_count=true"])("are all there, or the table is not%s", async (query) => {
    const of = `account = ${mine.account.number}`;
    const accounts = `account IN (${mine.account.number}, ${theirs.account.number})`;
    const states = [mine, theirs].map(({ account: { number } }) =>
      statements(
        service.postgres,
        `UPDATE supplements SET deleted_version = ${number === mine.account.number ? "NULL" : `'${LATER}'`} WHERE ${of} AND key = 'a'`,
        `UPDATE supplement_records SET account = ${number} WHERE ${accounts}`,
        `UPDATE supplement_index_entries SET account = ${number} WHERE ${accounts}`,
      ),
    );
    const listed = async () => {
      const { status, data, pagination } = await get(`supplements/a/records${query}`);
      return [status, data?.length, pagination?.total];
    };
    const { atRest, between } = await answersBetween(states, listed);
    expect([...atRest].map((answer) => JSON.parse(answer).slice(0, 2))).toEqual([
      [200, 3],
      [404, null],
    ]);
    expect(between).toEqual(atRest);
  });
});

describe("an attribute that is deleted", () => {
  beforeAll(async () => {
    const { account } = mine;
    const at = storedTime(AT);
    const row = { version: versionAt(AT), revision: 1 };
    const contact = { created_at: at, modified_at: at, merged_into: 0, deleted: 0, ...row };
    const field = { field: "attributes.a", kind: "string", text: "red", number: null, ...row };
    const numbers = [1, 2];
    await service.insert(
      "contacts_current",
      account,
      numbers.map((number) => ({ contact: number, cid: `${number}`, ...contact })),
    );
    await service.insert(
      "contact_fields_current",
      account,
      numbers.map((number) => ({ contact: number, ...field })),
    );
  });

  const of = () => `account = ${mine.account.number} AND key = 'a'`;
  const cleared = () =>
    `INSERT INTO attribute_clears (account, key, version, type) VALUES (${mine.account.number}, 'a', '${LATER}', 'auto')`;

  test("has values, or leaves them missing", async () => {
    const states = [
      statements(service.postgres, `DELETE FROM attribute_clears WHERE ${of()}`),
      statements(service.postgres, cleared()),
    ];
    const values = async () => {
      const { data, missing } = await get("accountcontactattributes/a/values");
      return [data.length, missing];
    };
    const { atRest, between } = await answersBetween(states, values);
    expect([...atRest]).toEqual(["[1,0]", "[0,2]"]);
    expect(between).toEqual(atRest);
  });

  test("is counted by, or not known", async () => {
    const text = `INSERT INTO attribute_definitions (account, key, created_at) VALUES (${mine.account.number}, 'a', ${AT})`;
    const states = [
      statements(service.postgres, `DELETE FROM attribute_clears WHERE ${of()}`, `${text} ON CONFLICT DO NOTHING`),
      statements(service.postgres, cleared(), `DELETE FROM attribute_definitions WHERE ${of()}`),
    ];
    const counted = async () => {
      const rule = { field: "attributes.a", op: "eq", value: "red" };
      const { status, count } = await get("audiencecount", { and: [rule] });
      return [status, count];
    };
    const { atRest, between } = await answersBetween(states, counted);
    expect([...atRest]).toEqual(["[200,2]", "[422,null]"]);
    expect(between).toEqual(atRest);
  });
});
