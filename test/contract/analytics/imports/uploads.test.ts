import { hash } from "node:crypto";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { findUsableApiKey } from "@headwater/accounts/accounts/usableApiKey";
import { createReceiver } from "@headwater/analytics/uploads/routes/createUpload";
import type { Caller } from "@headwater/http";
import { createFileStore } from "@headwater/jobs/files/fileStore";
import { filesEnvironment, openFileStore } from "@headwater/jobs/files/filesEnvironment";
import { countUpload, deleteUpload, insertUpload, readUpload } from "@headwater/jobs/uploads/uploads";
import { createOperatorsOutbound, hashApiKey, systemClock } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { createIdempotencyStore } from "@headwater/postgres/idempotency/idempotency";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { basic, startService } from "../../service/running.ts";
import { type ImportWorld, startImportWorld } from "./importWorld.ts";

const GIB = 1024 ** 3;
const ROUTE = "POST /v2/uploads";
const TEXT = "productID\nx1\n";
const digestOf = (text: string) => `sha-256=:${hash("sha256", text, "base64")}:`;

let world: ImportWorld;
beforeAll(async () => {
  world = await startImportWorld();
});
afterAll(() => world.drop());

type Headers = Readonly<Record<string, string>>;

/** Begins an upload; its body is the caller's to send. */
function begin(headers: Headers = {}, key = world.key, address = world.address) {
  const all = { authorization: basic(key), ...headers };
  const sent: ClientRequest = request(`${address}/v2/uploads`, { method: "POST", headers: all });
  const answered = new Promise<IncomingMessage>((resolve, reject) => sent.on("response", resolve).on("error", reject));
  return { sent, answer: answered.then(readAnswer) };
}

async function readAnswer(answer: IncomingMessage) {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  const { statusCode: status, headers } = answer;
  const body: ReturnType<typeof JSON.parse> = JSON.parse(Buffer.concat(chunks).toString());
  return { status, headers, body };
}

function upload(text: string, headers: Headers = {}, key = world.key) {
  const { sent, answer } = begin(headers, key);
  sent.end(text);
  return answer;
}

const rows = () => world.service.postgres.query({ text: "SELECT id FROM uploads" });
const folderOf = () => join(world.folder, world.account.id);
const folderFiles = () => (existsSync(folderOf()) ? readdirSync(folderOf()) : []);

const idOf = (row: object) => String(Object.values(row)[0]);
const LOGGED = {
  category: "API",
  action: "createUpload",
  message: "Uploads a file.",
  target: "id",
  params: {},
  ip: "127.0.0.1",
  at: 0,
} as const;

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}

async function callerOf(key: string): Promise<Caller> {
  const found = await findUsableApiKey(world.service.postgres, hashApiKey(key));
  if (found === undefined) throw new Error("the key is known");
  return found;
}

/** A connection that breaks between the first commit and its answer. */
function losingAnswers(postgres: Postgres): Postgres {
  let isFirst = true;
  return {
    ...postgres,
    async transaction(run, options) {
      const result = await postgres.transaction(run, options);
      if (!isFirst) return result;
      isFirst = false;
      throw new Error("the answer was lost");
    },
  };
}

/** A connection that breaks before the first commit. */
function failingCommits(postgres: Postgres): Postgres {
  let isFirst = true;
  return {
    ...postgres,
    transaction: (run, options) =>
      postgres.transaction(async (transaction, atCommit) => {
        const result = await run(transaction, atCommit);
        if (isFirst) {
          isFirst = false;
          throw new Error("rolled back");
        }
        return result;
      }, options),
  };
}

/** Runs work that must leave neither a row nor a file. */
async function leavingNothing(work: () => Promise<void>): Promise<void> {
  const before = [await rows(), folderFiles()];
  await work();
  await expect.poll(async () => [await rows(), folderFiles()]).toEqual(before);
}

describe("an upload", () => {
  test("with the checksum of its Repr-Digest is kept, whatever other algorithms say", async () => {
    for (const header of [
      digestOf(TEXT),
      `sha-512=:AAAA:, ${digestOf(TEXT)}`,
      digestOf(TEXT).replace("sha", "SHA"),
      "md5=:AAAA:",
    ])
      expect(await upload(TEXT, { "repr-digest": header })).toMatchObject({
        status: 201,
        body: { bytes: TEXT.length, sha256: hash("sha256", TEXT, "hex") },
      });
  });

  test("with another checksum, or a digest that cannot be read, is 422, and nothing is kept", async () => {
    await leavingNothing(async () => {
      for (const header of [digestOf("other"), "sha-256=:abc:", "sha-256=abc", "sha-256=::"])
        expect(await upload(TEXT, { "repr-digest": header })).toMatchObject({
          status: 422,
          body: { code: "VALIDATION_ERROR", details: [{ path: "", code: "bad_value" }] },
        });
    });
  });

  test("a body that breaks off leaves nothing", async () => {
    await leavingNothing(async () => {
      const before = (await rows()).length;
      const { sent, answer } = begin({ "content-length": "100000" });
      sent.write(Buffer.alloc(10_000));
      await expect.poll(async () => (await rows()).length).toBe(before + 1);
      sent.destroy();
      await expect(answer).rejects.toThrow();
    });
  });

  test("comes once under its Idempotency-Key; another body is 422, and one under way is 409", async () => {
    const key = { "idempotency-key": "a" };
    const first = await upload(TEXT, key);
    await leavingNothing(async () => {
      const again = await upload(TEXT, key);
      expect(again).toMatchObject({ status: 201, body: first.body, headers: { "idempotency-replayed": "true" } });
      expect(await upload("other", key)).toMatchObject({ status: 422, body: { code: "IDEMPOTENCY_KEY_REUSED" } });
      const intent = JSON.stringify([hash("sha256", TEXT, "hex"), null]);
      const scope = { account: world.account.number, route: ROUTE, key: "b" };
      const unanswered = { requestId: "r", bodyHash: hash("sha256", intent, "hex"), leaseMs: 30_000 };
      await createIdempotencyStore(world.service.postgres).begin(scope, unanswered);
      const running = await upload(TEXT, { "idempotency-key": "b" });
      expect(running).toMatchObject({ status: 409, body: { code: "IDEMPOTENCY_IN_PROGRESS" } });
      expect(running.headers["retry-after"]).toBe("1");
    });
  });

  test("whose COMMIT's answer is lost keeps its file, and one that was not committed leaves nothing", async () => {
    const { postgres } = world.service;
    const files = createFileStore({ folder: world.folder });
    const caller = await callerOf(world.key);
    const receive = (store: Postgres) => {
      const ports = { clock: systemClock, files, postgres: store };
      const once = { key: undefined, caller, route: ROUTE, requestId: "r", logged: LOGGED };
      return createReceiver(ports)({ name: undefined, expected: undefined, stream: bytesOf(TEXT), once });
    };
    const before = new Set((await rows()).map(idOf));
    await expect(receive(losingAnswers(postgres))).rejects.toThrow("the answer was lost");
    const [existing] = (await rows()).map(idOf).filter((id) => !before.has(id));
    expect(folderFiles()).toContain(existing);
    const stored = await readUpload(postgres, world.account.number, String(existing));
    expect(stored).toMatchObject({ bytes: TEXT.length, sha256: hash("sha256", TEXT, "hex") });
    await leavingNothing(async () => {
      await expect(receive(failingCommits(postgres))).rejects.toThrow("rolled back");
    });
  });

  test("of more than 10 GiB, or than the account has room for, is 413", async () => {
    const { number: account } = world.account;
    await leavingNothing(async () => {
      const { sent, answer } = begin({ "content-length": String(10 * GIB + 1) });
      sent.flushHeaders();
      expect(await answer).toMatchObject({ status: 413, body: { code: "PAYLOAD_TOO_LARGE" } });
      sent.destroy();
    });
    const row = { name: null, job: null, isCopy: false, createdAt: Date.now(), sha256: "" };
    const full = { ...row, account, id: "f".repeat(24) };
    const [{ bytes: retained } = { bytes: 0 }] = await world.service.postgres.query<{ bytes: number }>({
      text: "SELECT sum(bytes)::bigint AS bytes FROM uploads",
    });
    for (const capacity of [0, TEXT.length - 1]) {
      await insertUpload(world.service.postgres, { ...full, bytes: 100 * GIB - retained - capacity });
      await leavingNothing(async () => {
        expect(await upload(TEXT)).toMatchObject({
          status: 413,
          body: { code: "PAYLOAD_TOO_LARGE", limit: { what: "bytes", max: 100 * GIB } },
        });
      });
    }
    await insertUpload(world.service.postgres, { ...full, bytes: 0 });
    expect((await upload(TEXT)).status).toBe(201);
  });

  test("beside four others of the account is 429; other accounts are not held up", async () => {
    const before = (await rows()).length;
    const others = Array.from({ length: 4 }, () => begin());
    for (const { sent } of others) sent.write("a");
    await expect.poll(async () => (await rows()).length).toBe(before + 4);
    const refused = await upload(TEXT);
    expect(refused).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    const stranger = await world.service.account();
    const key = await world.service.key(stranger.account, { scopes: ["write"] });
    expect((await upload(TEXT, {}, key)).status).toBe(201);
    for (const { sent } of others) sent.end("b");
    for (const { answer } of others) expect(await answer).toMatchObject({ status: 201, body: { bytes: 2 } });
    expect((await upload(TEXT)).status).toBe(201);
  });

  test("is 429 beyond 10 GiB that all processes receive at a time, and 413 beyond what the account may keep", async () => {
    const { postgres } = world.service;
    const { number: account } = world.account;
    const limits = { keptMax: 100 * GIB, underWayMax: 10 * GIB };
    const row = { account, name: null, job: null, isCopy: false, createdAt: Date.now(), sha256: "", bytes: 0 };
    const [one, other] = ["1", "2"].map((digit) => ({ ...row, id: digit.repeat(24) }));
    if (one === undefined || other === undefined) throw new Error("there are two uploads");
    for (const each of [one, other]) await insertUpload(postgres, each);
    // Two processes: the second one counts what the first one receives.
    expect(await countUpload(postgres, { ...one, bytes: 6 * GIB }, limits)).toBeUndefined();
    expect(await countUpload(postgres, { ...other, bytes: 4 * GIB + 1 }, limits)).toBe("underWayMax");
    expect(await countUpload(postgres, { ...other, bytes: 4 * GIB }, limits)).toBeUndefined();
    expect(await countUpload(postgres, { ...other, bytes: 94 * GIB + 1 }, limits)).toBe("keptMax");
    await leavingNothing(async () => {
      expect(await upload("x".repeat(17 * 1024 ** 2))).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
    });
    expect((await upload(TEXT)).status).toBe(201);
    // A process that received one of them is gone.
    await postgres.execute({ text: "UPDATE uploads SET received_at = now() - interval '2 minutes' WHERE id = $1" }, [
      one.id,
    ]);
    expect((await upload("x".repeat(17 * 1024 ** 2))).status).toBe(201);
    for (const { id } of [one, other]) await deleteUpload(postgres, { account, id });
  });

  test("is 503 while the store of files is away", async () => {
    const secretFile = join(world.folder, "secret");
    writeFileSync(secretFile, "secret\n");
    const operators = createOperatorsOutbound();
    const away = {
      HEADWATER_FILES_BUCKET: "bucket",
      HEADWATER_FILES_ENDPOINT: "http://127.0.0.1:1",
      HEADWATER_FILES_ACCESS_KEY_ID: "id",
      HEADWATER_FILES_SECRET_FILE: secretFile,
    };
    const files = await openFileStore(z.object(filesEnvironment).parse(away), operators);
    const service = await startService({ files });
    const { account } = await service.account();
    const key = await service.key(account, { scopes: ["write"] });
    const { sent, answer } = begin({}, key, await service.listen());
    sent.end(TEXT);
    const refused = await answer;
    expect(refused).toMatchObject({ status: 503, body: { code: "SERVICE_UNAVAILABLE" } });
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    await service.stop();
    await operators.close();
  });
});
