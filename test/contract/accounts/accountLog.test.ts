import { insertLogEntry } from "@headwater/api/accountLog/accountLog";
import { moveCallCounts } from "@headwater/api/accountLog/callCounts";
import { recordCalls } from "@headwater/api/accountLog/recordCalls";
import { NO_KEY } from "@headwater/api/accountLog/seal";
import { sealEntries } from "@headwater/api/accountLog/seals";
import type { Account } from "@headwater/contracts";
import { createFileStore } from "@headwater/jobs/files/fileStore";
import { insertJob } from "@headwater/jobs/queue/jobs";
import { createLogger, createMetrics, createSealer, newJobId, systemClock } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { deleteOldJobs } from "@headwater/worker/housekeeping";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seedDeadLetters } from "../intake/letters.ts";
import { workOff } from "../jobs/workOff.ts";
import { operationsIn } from "../openApi/document.ts";
import { seedBatchMessage, seedTransport } from "../openApi/exampleRows.ts";
import { type Called, type Running, startService } from "../service/running.ts";
import { everyWrite, PLANTS } from "./everyWrite.ts";

const logger = createLogger({ name: "account-log-test", level: "silent" });
const FAR = Number.MAX_SAFE_INTEGER;
const DAY_MS = 86_400_000;
/** Older than what the other tests write. */
const AT = Date.UTC(2020, 0, 1);

interface Row {
  readonly at: number;
  readonly id: string;
  readonly category: string;
  readonly level: number;
  readonly action: string;
  readonly message: string;
  readonly actor: string | null;
  readonly actor_name: string | null;
  readonly ip: string | null;
  readonly request_id: string | null;
  readonly job_id: string | null;
  readonly target: string | null;
  readonly status: string | null;
  readonly details: string | null;
}

function logOf(postgres: Postgres, { number }: Account): Promise<Row[]> {
  return postgres.query<Row & Record<string, unknown>>(
    { text: "SELECT * FROM account_log WHERE account = $1 ORDER BY at, id" },
    [number],
  );
}

let service: Running;
let calls: ReturnType<typeof recordCalls>;
beforeAll(async () => {
  service = await startService({
    sealer: createSealer([Buffer.alloc(32, 7)]),
    onRefusal: ({ route, ...one }) => calls.count({ ...one, operation: route.operationId }),
  });
  const { postgres: session } = service;
  calls = recordCalls({
    session,
    api: "v2",
    clock: systemClock,
    logger,
    metrics: createMetrics({ processMetrics: false }),
  });
});
afterAll(() => service.stop());

const everything = { scopes: ["read", "write", "admin", "intake"] };

/** Writes what was counted so far, and makes entries of it. */
async function resolveCounts() {
  await calls.stop?.();
  while (await moveCallCounts(service.postgres, FAR));
}

describe("every route that writes", () => {
  let account: Account;
  let other: Account;
  let rows: Row[];
  let answers: Map<string, readonly [Called, Called]>;
  let sent: readonly string[];

  beforeAll(async () => {
    ({ account } = await service.account());
    ({ account: other } = await service.account());
    const key = await service.key(account, everything);
    await seedDeadLetters(service.postgres, account, [
      { recordId: "r1:0:0", email: "planted@example.com" },
      { recordId: "r2:0:0", email: "planted@example.com" },
    ]);
    await seedTransport(service, account);
    await seedBatchMessage(service, account);
    answers = new Map();
    const provided = (operation: string, member: string) => String(answers.get(operation)?.[0].body[member]);
    const writes = Object.entries(everyWrite(["r1:0:0", "r2:0:0"]));
    sent = writes.map(([operation]) => operation);
    for (const [operation, write] of writes) {
      const { path, ...rest } = write(provided);
      const headers = { "idempotency-key": `once ${operation} planted@example.com` };
      const call = () => service.call(key, path, { ...rest, headers });
      answers.set(operation, [await call(), await call()]);
    }
    rows = await logOf(service.postgres, account);
  });

  test("is called here, so that a new one cannot be forgotten", async () => {
    const document = await (await fetch(`${await service.listen()}/docs/json`)).text();
    const writes = operationsIn(document).filter(({ method }) => method !== "GET");
    const reads = ["countAudience", "checkTransport", "sendTestWebhook", "simulateAlert"];
    expect([...sent, ...reads].sort()).toEqual(writes.map(({ operationId }) => operationId).sort());
  });

  test("succeeds, and answers a repeat from what it kept", () => {
    const refused = [...answers].filter(([, [first, again]]) => first.status >= 300 || again.status !== first.status);
    expect(refused.map(([operation, [first]]) => `${operation} ${first.text}`).join("\n")).toBe("");
  });

  test("has a receipt, and its repeat as well", () => {
    const without = [...answers].filter(([, both]) => both.some(({ headers }) => !headers["headwater-receipt"]));
    expect(without.map(([operation]) => operation)).toEqual([]);
  });

  test("has exactly one entry, with its category, level, status, caller and request", () => {
    const system = new Set(["updateAccount", "createApikey", "deleteApikey", "deleteContact"]);
    for (const operation of sent) {
      const [first] = answers.get(operation) ?? [];
      const entries = rows.filter(({ action }) => action === operation);
      expect([operation, entries]).toEqual([
        operation,
        [
          expect.objectContaining({
            category: system.has(operation) ? "System" : "API",
            level: 1,
            status: String(first?.status),
            actor: expect.stringMatching(/^[0-9a-f]{24}$/),
            actor_name: "test",
            ip: "127.0.0.1",
            request_id: first?.headers["x-request-id"],
            job_id: first?.body.jobId ?? null,
          }),
        ],
      ]);
    }
  });

  test("starts and cancels jobs with an entry each, under the same job id", () => {
    const jobs = rows.filter(({ category }) => category === "Jobs" || category === "Exports");
    const logged = jobs.map(({ category, action, status }) => `${category} ${action} ${status}`).sort();
    expect(logged).toEqual([
      ...[
        "ExportAudienceTrends",
        "ExportClientsLogs",
        "ExportContactProfile",
        "ExportContacts",
        "ExportEvents",
        "ExportMessageAnalytics",
        "ExportOrders",
      ].map((name) => `Exports ${name} Pending`),
      "Jobs ClearList Canceled",
      ...["ClearList", "ClearList", "ClearSupplement", "ClearSupplement", "DeleteAttribute", "DeleteContact"].map(
        (name) => `Jobs ${name} Pending`,
      ),
      "Jobs MergeContacts Pending",
      "Jobs RedriveDeadLetters Pending",
      "Jobs ReplayWebhook Pending",
      "Jobs RetryBatchMessage Pending",
      "Jobs SendBatchMessage Canceled",
      "Jobs SendBatchMessage Pending",
      "Jobs SimulateOrchestration Pending",
    ]);
    const canceled = answers.get("clearAccountlist")?.[0].body.jobId;
    expect(jobs.filter(({ job_id }) => job_id === canceled)).toHaveLength(2);
  });

  test("leaves no address, value or secret in any entry, and names nobody in that of an erasure", async () => {
    const text = JSON.stringify(rows);
    expect(PLANTS.filter((plant) => text.includes(plant))).toEqual([]);
    const keys = rows.filter(({ action }) => action === "createApikey");
    expect(JSON.stringify(keys)).not.toContain(answers.get("createApikey")?.[0].body.key);
    expect(rows.find(({ action }) => action === "deleteContact")).toMatchObject({ target: null, details: null });
  });

  test("writes nothing into the log of another account", async () => {
    expect(await logOf(service.postgres, other)).toEqual([]);
  });
});

describe("a write and its entry", () => {
  test("are stored together or not at all", async () => {
    const { account } = await service.account();
    const key = await service.key(account, everything);
    await service.postgres.execute({
      text: `CREATE FUNCTION refuse_log() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'as if killed'; END $$;
        CREATE TRIGGER refuse_log BEFORE INSERT ON account_log FOR EACH ROW EXECUTE FUNCTION refuse_log()`,
    });
    const include = { method: "POST", body: { key: "one", content: "c" } } as const;
    const contact = { method: "POST", body: { channels: { email: { address: "a@x.org" } } } } as const;
    const failed = [await service.call(key, "/v2/includes", include), await service.call(key, "/v2/contacts", contact)];
    await service.postgres.execute({ text: "DROP FUNCTION refuse_log CASCADE" });
    expect(failed.map(({ status }) => status)).toEqual([500, 500]);
    expect((await service.call(key, "/v2/includes/one")).status).toBe(404);
    expect((await service.call(key, "/v2/contacts/a@x.org")).status).toBe(404);
    expect((await service.call(key, "/v2/includes", include)).status).toBe(201);
    expect((await logOf(service.postgres, account)).map(({ action }) => action)).toEqual(["createInclude"]);
  });

  test("come once for a call without an Idempotency-Key as well, and not for one that is refused or only tried", async () => {
    const { account } = await service.account();
    const key = await service.key(account, everything);
    const include = { method: "POST", body: { key: "one", content: "c" } } as const;
    expect((await service.call(key, "/v2/includes", include)).status).toBe(201);
    expect((await service.call(key, "/v2/includes", include)).status).toBe(422);
    const visit = { method: "POST", body: { email: "a@x.org", action: "visit" } } as const;
    expect((await service.call(key, "/v2/contactactivities", visit)).status).toBe(201);
    await seedDeadLetters(service.postgres, account, [{ recordId: "t1:0:0" }]);
    const selected = { select: { ids: ["t1:0:0"] } };
    const trial = { method: "POST", body: { ...selected, dryRun: true } } as const;
    expect((await service.call(key, "/v2/deadletters/redrive", trial)).status).toBe(200);
    const discard = { method: "POST", body: { ...selected, reason: "r" } } as const;
    expect((await service.call(key, "/v2/deadletters/discard", discard)).status).toBe(200);
    const actions = (await logOf(service.postgres, account)).map(({ action }) => action);
    expect(actions).toEqual(["createInclude", "createContactactivity", "discardDeadletters"]);
  });
});

describe("refused calls", () => {
  test("are counted by minute, key and code, with no word of what was sent", async () => {
    const { account } = await service.account();
    const { account: other } = await service.account();
    const key = await service.key(account, everything);
    const reader = await service.key(account);
    await service.key(other);
    const at = Date.now();
    const bad = {
      method: "POST",
      body: { channels: { email: { address: "" } }, attributes: { a: "planted-value" } },
    } as const;
    for (let call = 0; call < 3; call++) expect((await service.call(key, "/v2/contacts", bad)).status).toBe(422);
    const { status } = await service.call(key, "/v2/orders", { method: "POST", body: { orderID: "planted-order" } });
    expect(status).toBe(422);
    expect((await service.call(reader, "/v2/contacts", bad)).status).toBe(403);
    expect((await service.call(key, "/v2/contacts/planted@example.com")).status).toBe(404);
    await resolveCounts();
    const rows = await logOf(service.postgres, account);
    const counted = rows.map(({ category, level, action, status: code, details }) => {
      return { category, level, action, status: code, ...JSON.parse(details ?? "{}") };
    });
    const sums = Map.groupBy(counted, (row) => row.code);
    const callsOf = (code: string) => (sums.get(code) ?? []).reduce((sum, row) => sum + row.calls, 0);
    expect(["VALIDATION_ERROR", "INSUFFICIENT_SCOPE", "CONTACTS_CONTACT_NOT_FOUND"].map(callsOf)).toEqual([4, 1, 1]);
    for (const row of counted) expect(row).toMatchObject({ category: "API", level: 2, action: "refusedCalls" });
    const isOneMinute = Math.floor(at / 60_000) === Math.floor(Date.now() / 60_000);
    if (isOneMinute) expect(rows).toHaveLength(3);
    if (isOneMinute)
      expect(sums.get("VALIDATION_ERROR")?.[0]?.operations).toEqual({ createContact: 3, createOrder: 1 });
    expect(PLANTS.filter((plant) => JSON.stringify(rows).includes(plant))).toEqual([]);
    expect(await logOf(service.postgres, other)).toEqual([]);
  });
});

describe("jobs", () => {
  test("have an entry of their end with its status and counts, and none with what failed in its words", async () => {
    const { account } = await service.account();
    const key = await service.key(account, everything);
    const list = { method: "POST", body: { name: "news" } } as const;
    const { id } = (await service.call(key, "/v2/accountlists", list)).body;
    const { jobId } = (await service.call(key, `/v2/accountlists/${id}/clear`, { method: "PUT" })).body;
    await workOff(service, jobId);
    const created = {
      id: newJobId(),
      account: account.number,
      name: "NobodyKnows",
      input: {},
      madeBy: "k",
      createdAt: 1,
    };
    await insertJob(service.postgres, { ...created, totalItems: 0, metadata: {} });
    await workOff(service, created.id);
    const rows = await logOf(service.postgres, account);
    const ended = rows.filter(({ status, category }) => category === "Jobs" && status !== "Pending");
    expect(ended.map(({ action, status, level, job_id }) => [action, status, level, job_id])).toEqual([
      ["ClearList", "Done", 1, jobId],
      ["NobodyKnows", "Failed", 3, created.id],
    ]);
    expect(JSON.parse(ended[0]?.details ?? "")).toMatchObject({ totalRecords: 0, rejected: 0 });
    expect(ended[1]).toMatchObject({ message: "NobodyKnows ended: Failed with INTERNAL_ERROR." });
  });
});

describe("entries", () => {
  test("are kept for 400 days, and deleted by whole days then, once they are sealed", async () => {
    const { account } = await service.account();
    const entry = { account: account.number, category: "System", level: "Info", action: "a", message: "m" } as const;
    for (const at of [AT, AT + 1]) await insertLogEntry(service.postgres, { ...entry, at });
    const ports = { postgres: service.postgres, files: createFileStore({ folder: "/nonexistent" }) };
    const stored = async () => (await logOf(service.postgres, account)).map(({ at }) => at - AT);
    await deleteOldJobs(ports, AT + 401 * DAY_MS);
    expect(await stored()).toEqual([0, 1]);
    await expect.poll(() => service.postgres.transaction((one) => sealEntries(one, NO_KEY, AT))).toBeDefined();
    await deleteOldJobs(ports, AT + 401 * DAY_MS - 1);
    expect(await stored()).toEqual([0, 1]);
    await deleteOldJobs(ports, AT + 401 * DAY_MS);
    expect(await stored()).toEqual([]);
  });
});
