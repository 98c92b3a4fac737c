import { hash } from "node:crypto";
import type { Account } from "@headwater/contracts";
import { createOutbound, createSealer } from "@headwater/kernel";
import { createTcpProxy } from "@headwater/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { workOff } from "../contract/jobs/workOff.ts";
import { type Running, startService } from "../contract/service/running.ts";
import { seedContacts } from "../contract/service/seed.ts";
import { type StorageWorld, worlds } from "./storageServers.ts";

const CID = "65f0c0ffee65f0c0ffee0001";
const outbound = createOutbound({ allow: ["127.0.0.0/8"] });
const sealer = createSealer([Buffer.alloc(32, 7)]);
let service: Running;
let account: Account;
let key: string;
let world: StorageWorld;
beforeAll(async () => {
  [service, world] = await Promise.all([startService({ outbound, sealer }), worlds.s3()]);
  ({ account } = await service.account());
  key = await service.key(account, { scopes: ["contacts:read", "jobs:read", "account:read", "account:write"] });
  await seedContacts(service.postgres, account, [{ number: 1, cid: CID, identifiers: { email: "ada@example.com" } }]);
});
afterAll(async () => {
  await Promise.all([service.stop(), world.stop(), outbound.close()]);
});

const start = (body: object) => service.call(key, `/v2/contacts/${CID}/downloadprofile`, { method: "POST", body });
const save = (body: object) => service.call(key, "/v2/account", { method: "PUT", body });
const work = (jobId: string) => workOff(service, jobId, undefined, { outbound, sealer });
const job = async (id: string) => (await service.call(key, `/v2/jobs/${id}`)).body;
/** The whole database as text. */
async function databaseText(): Promise<string> {
  const tables = await service.postgres.query<{ name: string }>({
    text: "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')",
  });
  const texts = await Promise.all(
    tables.map(({ name }) =>
      service.postgres.query<{ text: string }>({ text: `SELECT t::text AS text FROM ${name} AS t` }),
    ),
  );
  return texts
    .flat()
    .map(({ text }) => text)
    .join("\n");
}

describe("a profile that is written outside", () => {
  test("stands in the bucket under the path's date, and its job shows size and checksum and has no link", async () => {
    const destination = { ...world.storage, aws_path: "exports/{yyyy}/{jobId}" };
    const { status, body } = await start({ destination });
    expect(status).toBe(202);
    expect(await databaseText()).not.toContain("local-secret-of-s3proxy");
    const sealedOf = async () =>
      (await service.postgres.query<{ secrets: string | null }>({ text: "SELECT secrets FROM jobs" }))[0]?.secrets;
    expect(await sealedOf()).toMatch(/^v1\./);
    await work(body.jobId);
    const done = await job(body.jobId);
    const [file] = done.metadata.files;
    expect(done).toMatchObject({ status: "Done" });
    expect(file).not.toHaveProperty("url");
    const written = (await world.files()).get(`${new Date().getUTCFullYear()}/${body.jobId}/${file.name}`);
    expect([file.bytes, file.sha256]).toEqual([written?.length, hash("sha256", written ?? "", "hex")]);
    expect(JSON.parse(written?.toString().split("\n")[0] ?? "")).toMatchObject({ type: "contact", data: { cID: CID } });
    expect(await sealedOf()).toBeNull();
    expect(JSON.stringify(done)).not.toContain("local-secret-of-s3proxy");
  });

  test("goes to a saved storage, whose secret nobody reads back", async () => {
    const { aws_path: _, ...lake } = { aws_path: "", ...world.storage };
    const saved = await save({ storage: { lake } });
    expect(saved.body.storage.lake.aws_secret_access_key).toEqual({ set: true, last4: "roxy" });
    expect(saved.text + (await service.call(key, "/v2/account")).text).not.toContain("local-secret-of-s3proxy");
    expect(await databaseText()).not.toContain("local-secret-of-s3proxy");
    const { body } = await start({ destination: { type: "s3", savedKey: "lake", aws_path: "exports" } });
    await work(body.jobId);
    expect((await world.files()).has((await job(body.jobId)).metadata.files[0].name)).toBe(true);
  });

  test("is refused with the path of each mistake, and nothing is started", async () => {
    const before = (await service.call(key, "/v2/jobs?return_count=true")).body.pagination.total;
    const s3 = world.storage;
    const mistakes: [unknown, string, string][] = [
      ["s3", "/destination", "type_mismatch"],
      [{}, "/destination/type", "required"],
      [{ type: "ftp", server: "x" }, "/destination/type", "bad_value"],
      [{ type: "gcs" }, "/destination/type", "bad_value"],
      [{ type: "aws", path: "x" }, "/destination/path", "unknown_field"],
      [{ ...s3, aws_buckets: "x" }, "/destination/aws_buckets", "unknown_field"],
      [{ ...s3, aws_path: "{month}" }, "/destination/aws_path", "bad_value"],
      [{ type: "s3", aws_bucket: "lake" }, "/destination/aws_access_key_id", "required"],
      [{ type: "s3", savedKey: "none" }, "/destination/savedKey", "unknown_reference"],
      [
        { type: "s3", savedKey: "lake", aws_endpoint: "https://thief.example" },
        "/destination/aws_endpoint",
        "not_allowed",
      ],
      [{ type: "sftp", server: "x.example", username: "x", path: "/" }, "/destination/password", "required"],
      [{ type: "sftp", savedKey: "lake" }, "/destination/type", "bad_value"],
    ];
    for (const [destination, path, code] of mistakes) {
      const { status, body } = await start({ destination });
      expect([status, body.code, body.details]).toMatchObject([422, "EXPORT_CONFIGURATION_ERROR", expect.any(Array)]);
      expect(body.details).toContainEqual(expect.objectContaining({ path, code }));
    }
    expect((await start({ destination: { type: "ftp" } })).body.details[0].allowed).toEqual([
      "aws",
      "s3",
      "sftp",
      "azureblob",
    ]);
    expect((await service.call(key, "/v2/jobs?return_count=true")).body.pagination.total).toBe(before);
  });

  test("is refused at once by a storage that refuses, and by a port where nobody listens", async () => {
    for (const destination of [world.wrongSecret, world.notThere, world.through(1)]) {
      const { status, body } = await start({ destination });
      expect([status, body.code]).toEqual([422, "STORAGE_CONNECTION_ERROR"]);
      expect(JSON.stringify(body)).not.toContain("127.0.0.1");
    }
  });

  test("waits for a storage that does not answer, and fails after an hour", async () => {
    const proxy = await createTcpProxy({ host: "127.0.0.1", port: world.port });
    const { body } = await start({ destination: world.through(proxy.port) });
    proxy.setMode("refuse");
    await work(body.jobId);
    const text = "SELECT status, progress::text AS progress FROM jobs WHERE id = $1";
    const [waiting] = await service.postgres.query<{ status: string; progress: string }>({ text }, [body.jobId]);
    expect(waiting?.status).toBe("Processing");
    const { since, ...progress } = JSON.parse(waiting?.progress ?? "{}");
    const long = JSON.stringify({ ...progress, since: since - 3_700_000 });
    await service.postgres.execute({ text: "UPDATE jobs SET progress = $2 WHERE id = $1" }, [body.jobId, long]);
    await work(body.jobId);
    expect(await job(body.jobId)).toMatchObject({
      status: "Failed",
      metadata: { error: { code: "STORAGE_CONNECTION_ERROR", message: expect.stringContaining("hour") } },
    });
    await proxy.close();
  });
});
