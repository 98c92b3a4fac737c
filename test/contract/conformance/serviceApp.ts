import { rmSync } from "node:fs";
import { sourceExample } from "@headwater/analytics/imports/source/sourceMember";
import type { Account } from "@headwater/contracts";
import { createFileStore } from "@headwater/jobs/files/fileStore";
import { insertUpload, type Upload } from "@headwater/jobs/uploads/uploads";
import { createSealer } from "@headwater/kernel";
import { transports } from "@headwater/messaging/transports/postgres";
import { z } from "zod";
import { seedAnalytics } from "../analytics/analyticsWorld.ts";
import { seedDeadLetters } from "../intake/letters.ts";
import { freshFolder, workOff } from "../jobs/workOff.ts";
import { basic, type Called, type Running, startService } from "../service/running.ts";
import { seedContacts, seedLists, seedMailTransport } from "../service/seed.ts";
import { type App, asItIs, byHeader, documentOf, type World } from "./app.ts";
import type { Operation } from "./description.ts";

type Position = Omit<World["plan"], "statuses">;

interface Ground {
  readonly service: Running;
  readonly account: Account;
  readonly key: string;
  readonly operations: readonly Operation[];
}

const CID = "65f0c0ffee65f0c0ffee0001";
const DEAD_LETTER = "VbZsDdSkFIHQqU5ESHo7:3:0";
const PRIMARY_KEY = "email:ada@example.com";
/** Reads of ClickHouse: more than nothing is found there. */
const ANALYTICS = new Set([
  "countAudience",
  "listContacts",
  "listContactactivities",
  "listContacthistory",
  "listAttributevalues",
]);

const STATUSES = { brokenJson: 400, wrongType: 415, unknownQuery: 400 };

/** The service of /v2. */
export async function startServiceApp(): Promise<App> {
  const folder = freshFolder();
  const service = await startService({
    files: createFileStore({ folder }),
    sealer: createSealer([Buffer.alloc(32, 7)]),
  });
  const url = await service.listen();
  const { whole, operations } = await documentOf(url);
  const file = await createFile(folder, { service, operations });
  const other = await service.key((await service.account()).account, { scopes: ["read", "write", "admin", "intake"] });
  return {
    url,
    whole,
    operations,
    world: (operation, number) => createWorld(operation, { service, operations, other, number, file }),
    async stop() {
      await service.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

async function createWorld(
  operation: Operation,
  {
    service,
    other,
    number,
    file,
    operations,
  }: Pick<Ground, "service" | "operations"> & {
    readonly other: string;
    readonly number: number;
    readonly file: Position;
  },
): Promise<World> {
  const { account } = await service.account();
  const key = await service.key(account, { scopes: ["read", "write", "admin", "intake"] });
  const scopeless = await service.key(account, { scopes: ["none"] });
  await seed(operation, { service, account, number });
  const ground = { service, account, key, operations };
  const position = operation.path.startsWith("/v2/files/") ? file : await prepare(operation, ground);
  const proof = (value: string) => byHeader("authorization", basic(value));
  return {
    plan: { ...position, statuses: STATUSES },
    proofs: {
      owner: proof(key),
      other: proof(other),
      scopeless: proof(scopeless),
      wrong: proof("hw_wrong"),
      nobody: asItIs,
    },
  };
}

async function seed(
  { operationId, path }: Operation,
  { service, account, number }: { readonly service: Running; readonly account: Account; readonly number: number },
): Promise<void> {
  const { postgres } = service;
  const at = 1_000 + 10 * number;
  if (ANALYTICS.has(operationId)) return seedAnalytics(service, account, at);
  await seedContacts(postgres, account, [
    { number: at, cid: CID, identifiers: { customer_id: "17850", email: "ada@example.com" } },
    { number: at + 1, cid: "65f0c0ffee65f0c0ffee0003", identifiers: { customer_id: "17851" } },
  ]);
  if (path.startsWith("/v2/accountlists")) await seedLists(postgres, account, { vip: [at] });
  if (/\/send(draft)?$/.test(path)) await seedMailTransport(postgres, account);
  if (/import|datajobs/.test(path)) await insertUpload(postgres, uploadOf(account));
  if (path.startsWith("/v2/deadletters")) await seedDeadLetters(postgres, account, [{ recordId: DEAD_LETTER }]);
}

/** The upload that the examples of imports name. */
function uploadOf({ number: account }: Account): Upload {
  const about = { name: "people.csv", bytes: 12, sha256: "0".repeat(64), job: null, isCopy: false };
  return { id: "65f0c0ffee65f0c0ffee0001", account, ...about, createdAt: Date.now() };
}

const FALLBACK = {
  primary_key: PRIMARY_KEY,
  channel: "email",
  productID: "85123A",
  qty: "1",
  sku: "85123A",
  key: "cars",
};

/** Examples to send first, and what they make, by a part of the path. */
const STANDS_ON: readonly (readonly [part: string, examples: readonly string[], made: object])[] = [
  ["/cart", ["setCart"], {}],
  ["/orders/", ["createOrder"], { id: "536365" }],
  ["/products/", ["createProducts"], {}],
  ["/automationtemplates/", ["createTemplate"], { key: "welcome-2026", contactID: PRIMARY_KEY }],
  ["/renderedwip/", [], { contactID: PRIMARY_KEY }],
  ["/includes/", ["createInclude"], { key: "footer-2026" }],
  ["/audiences/", ["createAudience"], { key: "engaged-30d" }],
  ["/supplements/", ["createSupplement"], {}],
  ["/records/", ["createSupplementrecord"], { id: "car-1" }],
  ["/accountcontactattributes/", ["createAttribute"], { key: "lifetime_value" }],
  ["/values", [], { key: "color" }],
  ["/split", ["mergeContacts"], {}],
  ["/deadletters/", [], { id: DEAD_LETTER }],
  ["/datajobs/", ["createDatajob"], { key: "shop-lines" }],
];
/** Example whose answer names the id, by a part of the path. */
const NAMED_BY: readonly (readonly [part: string, example: string, member: string])[] = [
  ["/accountlists/", "createAccountlist", "id"],
  ["/apikeys/", "createApikey", "id"],
  ["/orchestrations/", "createOrchestration", "orchestrationID"],
  ["/programs/", "createProgram", "id"],
  ["/suppressions/", "createSuppression", "id"],
  ["/transports/", "createTransport", "id"],
  ["/webhooks/", "createWebhook", "id"],
  ["/alerts/", "createAlert", "id"],
  ["/batchmessages/", "createBatchmessage", "id"],
  ["/jobs/", "downloadContactprofile", "jobId"],
];

/** Members that a data job has whose runs are asked for. */
const DATA_JOB = { apiTrigger: true, source: sourceExample };
const EXPERIMENT = { tests: [{ type: "split", enabled: true, variants: [{ name: "a" }, { name: "b" }] }] };

/** State and settings that a call on a batch message begins with, by the end of its path. */
const MESSAGE_STATES: readonly (readonly [part: string, state: string, settings?: object])[] = [
  ["/send", "draft"],
  ["/sendtest", "draft"],
  ["/pause", "pending"],
  ["/resume", "paused"],
  ["/cancel", "pending"],
  ["/sends/retry", "sent"],
  ["/experimentperformance", "sent", EXPERIMENT],
];

/** Puts a batch message that may have an empty audience into a state, next to a default transport. */
async function putMessage(
  id: string,
  [, state, settings]: (typeof MESSAGE_STATES)[number],
  { service: { postgres }, account }: Ground,
): Promise<void> {
  const about = { name: "Out", channel: "email", type: "log", settings: "{}", isDefault: true, enabled: true } as const;
  const name = { account: account.number, key: "65f0c0ffee65f0c0ffee00c9" };
  // A channel has one default, which an example may be already.
  await postgres.execute({ text: "UPDATE transports SET is_default = false WHERE account = $1" }, [account.number]);
  await postgres.transaction((transaction) => transports.insert(transaction, name, about, 0));
  const text = `UPDATE batch_messages SET status = $3, settings = (settings::jsonb || $4::jsonb)::text WHERE account = $1 AND id = $2`;
  const members = JSON.stringify({ allowEmpty: true, ...settings });
  await postgres.execute({ text }, [account.number, id, state, members]);
}

/** Enables an orchestration that takes calls, and lets a contact enter that is to be taken out, or whose run has failed. */
async function letEnter(id: string, path: string, { service, account, key, operations }: Ground): Promise<void> {
  const url = `/v2/orchestrations/${id}`;
  const update = operations.find(({ operationId }) => operationId === "updateOrchestration");
  // Of the example every twentieth contact is only compared with, and has no run.
  const body = { ...Object(update?.body?.example), entry: { holdoutPercent: 0 } };
  await service.call(key, url, { method: "PUT", body });
  if (/(trigger|simulate)$/.test(path)) return;
  await service.call(key, `${url}/trigger`, { method: "POST", body: { contact: { cID: CID } } });
  if (path.endsWith("/exit")) return;
  const text = `UPDATE orchestration_runs SET state = 'failed', run = (run::jsonb || '{"state": "failed"}')::text WHERE account = $1`;
  await service.postgres.execute({ text }, [account.number]);
}

function moreOf(path: string): object {
  if (path.includes("/datajobs/")) return DATA_JOB;
  return path.endsWith("/experimentperformance") ? EXPERIMENT : {};
}

/** Starts a run of a data job. @returns what paths call it. */
async function startRun({ service, key }: Ground, dataJob: string) {
  const { body } = await service.call(key, `/v2/datajobs/${dataJob}/trigger`, { method: "POST" });
  const dabId = String(body.dabID);
  return { dabId, runMarker: dabId.split(":").at(-1) ?? "" };
}

/** Sends the examples that the operation stands on. @returns what its path and query name. */
async function prepare({ path }: Operation, ground: Ground): Promise<Position> {
  const values: Record<string, string> = { ...FALLBACK };
  for (const [part, examples, created] of STANDS_ON) {
    if (!path.includes(part)) continue;
    const more = moreOf(path);
    for (const example of examples) await sendExample(example, ground, more);
    Object.assign(values, created);
  }
  for (const [part, example, member] of NAMED_BY) {
    if (!path.includes(part)) continue;
    const id = String((await sendExample(example, ground)).body[member]);
    Object.assign(values, { id, [member]: id });
  }
  if (/\/orchestrations\/.*\/(trigger|exit|retry|simulate)$/.test(path))
    await letEnter(values.orchestrationID ?? "", path, ground);
  const beginning = MESSAGE_STATES.find(([part]) => path.endsWith(part));
  if (path.startsWith("/v2/batchmessages/") && beginning !== undefined)
    await putMessage(values.id ?? "", beginning, ground);
  if (path.includes("/receipts/")) values.receipt = receiptOf(await sendExample("createContact", ground));
  if (/\/datajobs\/.*\/stats$/.test(path)) Object.assign(values, await startRun(ground, values.key ?? ""));
  return { path: values, query: queryOf(path) };
}

/** Returns values of parameters that a route cannot do without. */
function queryOf(path: string): Readonly<Record<string, string>> {
  if (path.endsWith("/eligibility")) return { channel: "email" };
  const isOfDays = /\/programs\/.*\/(stats|summary)$/.test(path);
  return isOfDays ? { start_date: "2026-01-01", end_date: "2026-01-31" } : {};
}

async function sendExample(
  operationId: string,
  { service, key, operations }: Ground,
  more: object = {},
): Promise<Called> {
  const found = operations.find((one) => one.operationId === operationId);
  if (found === undefined) throw new Error(`no operation ${operationId}`);
  const filled = Object.entries(FALLBACK).reduce(
    (rest, [name, value]) => rest.replace(`{${name}}`, encodeURIComponent(value)),
    found.path,
  );
  const called = await service.call(key, filled, { method: "POST", body: withMore(found.body?.example, more) });
  if (called.status >= 300) throw new Error(`the example of ${operationId}: ${called.status} ${called.text}`);
  return called;
}

/** Adds members to the example of a body. */
function withMore(example: unknown, more: object): unknown {
  return Object.keys(more).length === 0 ? example : { ...Object(example), ...more };
}

function receiptOf({ headers }: Called): string {
  return z.string().parse(headers["headwater-receipt"]);
}

const view = z.looseObject({ metadata: z.looseObject({ files: z.array(z.looseObject({ url: z.string() })) }) });

/**
 * Makes a file by a job and returns its signed link. To be called first: the job waits until all that was written before it is published,
 * and nothing is here.
 */
async function createFile(folder: string, ground: Pick<Ground, "service" | "operations">): Promise<Position> {
  const { service } = ground;
  const { account } = await service.account();
  const key = await service.key(account, { scopes: ["read"] });
  await seedContacts(service.postgres, account, [{ number: 1, cid: CID, identifiers: { email: "ada@example.com" } }]);
  const { jobId } = (await sendExample("downloadContactprofile", { ...ground, account, key })).body;
  await workOff(service, jobId, folder);
  const { metadata } = view.parse((await service.call(key, `/v2/jobs/${jobId}`)).body);
  const link = new URL(metadata.files[0]?.url ?? "", "http://files");
  return { path: { id: link.pathname.split("/").at(-1) ?? "" }, query: Object.fromEntries(link.searchParams) };
}
