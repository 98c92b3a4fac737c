import { readRedrive } from "@headwater/intake/deadLetters/redrives";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Running, startService } from "../service/running.ts";
import { seedDeadLetters } from "./letters.ts";

type Signed = Awaited<ReturnType<Running["account"]>>;

let service: Running;
let mine: Signed;
let other: Signed;
const AT = Date.UTC(2026, 0, 9, 22);
const HOUR = 3_600_000;
const iso = (ms: number) => new Date(ms).toISOString();

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** Each test has two accounts of its own: mine with five dead letters of two causes, the other with one. */
beforeEach(async () => {
  const { account } = await service.account({ timezone: "Europe/Berlin" });
  mine = { account, key: await service.key(account, { scopes: ["read", "write", "admin"] }) };
  other = await service.account();
  const order = { operation: "upsertOrder", code: "VALIDATION_ERROR", path: "/order" };
  await seedDeadLetters(service.postgres, mine.account, [
    { recordId: "r1:0:0", at: AT, email: "one@x.org" },
    { recordId: "r1:1:0", at: AT + HOUR, email: "two@x.org" },
    { recordId: "r2:0:0", at: AT + 2 * HOUR, more: order },
    { recordId: "r3:0:0", at: AT + 3 * HOUR, more: { status: "parked", dueAt: 5 } },
    { recordId: "r4:0:0", at: AT + 4 * HOUR, email: "three@x.org" },
  ]);
  await seedDeadLetters(service.postgres, other.account, [{ recordId: "theirs:0:0", at: AT }]);
});

const get = (url: string, key = mine.key) => service.call(key, url);
const post = (url: string, body: unknown, key = mine.key) => service.call(key, url, { method: "POST", body });
const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);
const statusOf = async (id: string) => (await get(`/v2/deadletters/${encodeURIComponent(id)}`)).body.status;

describe("GET /v2/deadletters", () => {
  test("lists the open ones of the account, the latest first, with the item as it was sent", async () => {
    const { status, body } = await get("/v2/deadletters?return_count=true");
    expect([status, idsOf(body), body.pagination.total]).toEqual([200, ["r4:0:0", "r2:0:0", "r1:1:0", "r1:0:0"], 4]);
    expect(body.data[3]).toEqual({
      id: "r1:0:0",
      operation: "upsertContact",
      code: "CONTACTS_CONTACT_NOT_FOUND",
      message: "No contact has one of these identifiers, and `canBeCreated` is not set.",
      path: "/identifiers",
      payload: { identifiers: { email: "one@x.org" } },
      requestId: "r1",
      receivedAt: iso(AT),
      rejectedAt: iso(AT),
      status: "open",
      origin: { topic: "intake.records", partition: 0, offset: 0, place: 0 },
      history: [{ at: iso(AT), what: "rejected", by: "headwater", code: "CONTACTS_CONTACT_NOT_FOUND" }],
    });
  });

  test.each([
    ["operation=upsertOrder", ["r2:0:0"]],
    ["code=CONTACTS_CONTACT_NOT_FOUND", ["r4:0:0", "r1:1:0", "r1:0:0"]],
    [`from=${iso(AT + HOUR)}&to=${iso(AT + 4 * HOUR)}`, ["r2:0:0", "r1:1:0"]],
    ["from=2026-01-10", ["r4:0:0", "r2:0:0", "r1:1:0"]],
    ["status=parked", ["r3:0:0"]],
    ["status=any&sort_dir=asc", ["r1:0:0", "r1:1:0", "r2:0:0", "r3:0:0", "r4:0:0"]],
  ])("filters by %s", async (query, ids) => {
    expect(idsOf((await get(`/v2/deadletters?${query}`)).body)).toEqual(ids);
  });

  test("pages by cursor without missing or repeating one", async () => {
    const seen: string[] = [];
    let cursor = "";
    for (let page = 0; page < 5 && cursor !== null; page++) {
      const { body } = await get(`/v2/deadletters?per_page=3&fields=id${cursor === "" ? "" : `&cursor=${cursor}`}`);
      seen.push(...idsOf(body));
      cursor = body.pagination.next_cursor;
    }
    expect(seen).toEqual(["r4:0:0", "r2:0:0", "r1:1:0", "r1:0:0"]);
  });

  test("groups by cause with the number, the first, the last and an example", async () => {
    const { body } = await get("/v2/deadletters?group=code");
    expect(body.data).toEqual([
      {
        code: "CONTACTS_CONTACT_NOT_FOUND",
        operation: "upsertContact",
        count: 3,
        first: iso(AT),
        last: iso(AT + 4 * HOUR + 4),
        sampleId: "r4:0:0",
      },
      expect.objectContaining({ code: "VALIDATION_ERROR", operation: "upsertOrder", count: 1, sampleId: "r2:0:0" }),
    ]);
    expect((await get("/v2/deadletters?group=code&operation=upsertOrder")).body.data).toHaveLength(1);
  });

  test("400 for a group or status that there is not, and for a time that is none; 401 and 403 without the right key", async () => {
    for (const query of ["group=operation", "status=closed", "from=yesterday"]) {
      expect((await get(`/v2/deadletters?${query}`)).status).toBe(400);
    }
    expect((await service.call(undefined, "/v2/deadletters")).status).toBe(401);
    const narrow = await service.key(mine.account, { scopes: ["orders:read"] });
    expect((await get("/v2/deadletters", narrow)).status).toBe(403);
  });
});

describe("GET /v2/deadletters/{id}", () => {
  test("200 for one of the account, 404 for others', unknown ones and one that was parked and then applied", async () => {
    expect((await get("/v2/deadletters/r1%3A0%3A0")).body).toMatchObject({ id: "r1:0:0", status: "open" });
    await seedDeadLetters(service.postgres, mine.account, [{ recordId: "done:0:0", more: { status: "applied" } }]);
    for (const id of ["theirs:0:0", "none", "done:0:0"]) {
      const { status, body } = await get(`/v2/deadletters/${id}`);
      expect([id, status, body.code]).toEqual([id, 404, "RECORD_NOT_FOUND"]);
    }
  });
});

describe("POST /v2/deadletters/discard", () => {
  test("closes what is selected with its reason, once", async () => {
    const request = { select: { operation: "upsertContact" }, reason: "a test sent them" };
    const first = await post("/v2/deadletters/discard", request);
    expect([first.status, first.body]).toEqual([200, { discarded: 3 }]);
    expect((await post("/v2/deadletters/discard", request)).body).toEqual({ discarded: 0 });
    const { body } = await get("/v2/deadletters/r1:0:0");
    expect(body).toMatchObject({ status: "discarded", history: [{}, { what: "discarded", reason: request.reason }] });
    expect(idsOf((await get("/v2/deadletters")).body)).toEqual(["r2:0:0"]);
    expect((await get("/v2/deadletters/theirs:0:0", other.key)).body.status).toBe("open");
  });

  test("409 for one that is parked, 404 for one that is not there; nothing of the selection is closed then", async () => {
    const discard = (ids: string[]) => post("/v2/deadletters/discard", { select: { ids }, reason: "x" });
    expect(await discard(["r1:0:0", "r3:0:0"])).toMatchObject({
      status: 409,
      body: { code: "INVALID_STATE_TRANSITION", from: "parked", allowed: ["open"] },
    });
    expect(await discard(["r1:0:0", "theirs:0:0"])).toMatchObject({ status: 404, body: { code: "RECORD_NOT_FOUND" } });
    expect(await statusOf("r1:0:0")).toBe("open");
  });

  test("422 without a reason, with nothing to select by, and for a filter that is misspelt; 403 for a key that only reads", async () => {
    for (const body of [
      { select: { ids: ["r1:0:0"] } },
      { select: {}, reason: "x" },
      { select: { cod: "VALIDATION_ERROR" }, reason: "x" },
      { reason: "x" },
    ]) {
      expect(await post("/v2/deadletters/discard", body)).toMatchObject({
        status: 422,
        body: { code: "VALIDATION_ERROR" },
      });
    }
    const reader = await service.key(mine.account, { scopes: ["read"] });
    expect((await post("/v2/deadletters/discard", { select: { code: "x" }, reason: "x" }, reader)).status).toBe(403);
  });
});

describe("POST /v2/deadletters/redrive", () => {
  const all = { operation: "upsertContact" };

  test("202 with a job that waits for the projector, and holds what was asked for", async () => {
    const patch = [{ op: "add", path: "/canBeCreated", value: true }];
    const select = { ...all, from: "2026-01-10" };
    const { status, body, headers } = await post("/v2/deadletters/redrive", { select, patch });
    expect([status, headers.location]).toEqual([202, `/v2/jobs/${body.jobId}`]);
    expect(body.jobId).toMatch(/^[0-9a-f]{24}$/);
    expect(await readRedrive(service.postgres, mine.account.number, body.jobId)).toMatchObject({
      selection: { operation: "upsertContact", from: Date.UTC(2026, 0, 9, 23) },
      patch: JSON.stringify(patch),
      selected: 2,
      taken: 0,
    });
    const job = await get(`/v2/jobs/${body.jobId}`);
    expect(job.body).toMatchObject({ jobName: "RedriveDeadLetters", status: "Pending", totalItems: 2 });
    expect([job.headers["retry-after"], job.body.metadata]).toEqual(["1", { refused: 0 }]);
    expect((await get(`/v2/jobs/${body.jobId}`, other.key)).status).toBe(404);
  });

  test("under an Idempotency-Key a repeat gets the same job, and another body is refused", async () => {
    const headers = { "idempotency-key": "once" };
    const send = (body: object) => service.call(mine.key, "/v2/deadletters/redrive", { method: "POST", body, headers });
    const first = await send({ select: all });
    const again = await send({ select: all });
    expect([again.status, again.body]).toEqual([202, first.body]);
    expect(again.headers["idempotency-replayed"]).toBe("true");
    expect((await send({ select: { operation: "upsertOrder" } })).body.code).toBe("IDEMPOTENCY_KEY_REUSED");
  });

  test("a repeat gets the first answer though its records cannot be redriven any more", async () => {
    const headers = { "idempotency-key": "chosen" };
    const body = { select: { ids: ["r1:0:0"] } };
    const send = () => service.call(mine.key, "/v2/deadletters/redrive", { method: "POST", body, headers });
    const first = await send();
    await post("/v2/deadletters/discard", { ...body, reason: "x" });
    expect((await post("/v2/deadletters/redrive", body)).status).toBe(409);
    const again = await send();
    expect([first.status, again.status, again.body]).toEqual([202, 202, first.body]);
  });

  test("with dryRun returns what validation would say, and writes nothing", async () => {
    const patch = [
      { op: "test", path: "/identifiers/email", value: "one@x.org" },
      { op: "add", path: "/canBeUpdated", value: true },
    ];
    const unpatched = await post("/v2/deadletters/redrive", { select: all, dryRun: true });
    expect([unpatched.status, unpatched.body]).toEqual([200, { wouldPass: 3, wouldFail: [], selected: 3, judged: 3 }]);
    const { body } = await post("/v2/deadletters/redrive", { select: all, patch, dryRun: true });
    expect(body).toMatchObject({ wouldPass: 0, selected: 3 });
    expect(body.wouldFail).toHaveLength(3);
    expect(body.wouldFail[0]).toMatchObject({ id: "r1:0:0", code: "VALIDATION_ERROR" });
    expect(body.wouldFail[0].message).toContain("`attributes`");
    expect(body.wouldFail[1]).toMatchObject({ id: "r1:1:0", message: expect.stringContaining("Operation 0") });
    expect(await service.postgres.query({ text: "SELECT id FROM redrives WHERE account = 0" })).toEqual([]);
    expect(await statusOf("r1:0:0")).toBe("open");
  });

  test("409 for one that was discarded or is parked, 404 for one that is not there, 202 for one that was redriven", async () => {
    await seedDeadLetters(service.postgres, mine.account, [
      { recordId: "gone:0:0", more: { status: "discarded" } },
      { recordId: "sent:0:0", more: { status: "redriven" } },
    ]);
    const redrive = (id: string) => post("/v2/deadletters/redrive", { select: { ids: [id] } });
    expect(await redrive("gone:0:0")).toMatchObject({ status: 409, body: { from: "discarded" } });
    expect(await redrive("r3:0:0")).toMatchObject({ status: 409, body: { from: "parked" } });
    expect(await redrive("theirs:0:0")).toMatchObject({ status: 404 });
    expect((await redrive("sent:0:0")).status).toBe(202);
  });

  test("422 for a patch that is none and for an empty selection", async () => {
    for (const body of [
      { select: all, patch: [{ op: "add", path: "/a" }] },
      { select: all, patch: [{ op: "add", path: "/__proto__/a", value: 1 }] },
      { select: all, patch: [] },
      { select: {} },
    ]) {
      expect((await post("/v2/deadletters/redrive", body)).status).toBe(422);
    }
  });
});

test("GET /v2/jobs/{id} is 404 for a job that there is not", async () => {
  expect(await get("/v2/jobs/65f0c0ffee65f0c0ffee0001")).toMatchObject({
    status: 404,
    body: { code: "RECORD_NOT_FOUND" },
  });
});
