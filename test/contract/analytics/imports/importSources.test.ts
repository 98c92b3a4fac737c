import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createOutbound } from "@headwater/kernel";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { worlds } from "../../../destinations/storageServers.ts";
import { type ImportWorld, startImportWorld } from "./importWorld.ts";

const CSV = "productID,productName\nfrom,Outside\n";
const SECRET = `whsec_${Buffer.from("a secret of thirty-two characters").toString("base64")}`;
let isAway = false;
const server = createServer((request, answer) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://x");
  if (isAway) return answer.writeHead(503).end();
  if (pathname === "/to") return answer.writeHead(302, { location: searchParams.get("url") ?? "" }).end();
  if (pathname === "/products.csv") return answer.end(CSV);
  if (pathname === "/lines") return answer.end('{"productID":"line","productName":"Line"}\n');
  return answer.writeHead(404).end();
});
let world: ImportWorld;
let base: string;
beforeAll(async () => {
  world = await startImportWorld();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await world.drop();
  server.close();
});

const start = (source: unknown, more: object = {}) =>
  world.post("productimports", { source, hasHeader: true, ...more });
const jobsSoFar = async () => (await world.service.call(world.key, "/v2/jobs?return_count=true")).body.pagination.total;
const refused = (code: string, path?: string, detail?: string) => ({
  status: 422,
  body: { code, ...(path !== undefined && { details: [expect.objectContaining({ path, code: detail })] }) },
});
const IMPORT = "IMPORT_CONFIGURATION_ERROR";
const STORAGE = "STORAGE_CONNECTION_ERROR";

describe("a source outside", () => {
  test.each(["s3", "sftp", "azureblob"] as const)(
    "in %s is copied and imported, and its secret is kept sealed",
    async (type) => {
      const storages = await worlds[type]();
      const { type: transport, ...members } = await storages.put("products.csv", Buffer.from(CSV));
      const { status, body } = await start({ transport, ...members });
      expect(status).toBe(202);
      const secret = Reflect.get(
        members,
        type === "s3" ? "aws_secret_access_key" : type === "sftp" ? "password" : "accountKey",
      );
      const [stored] = await world.service.postgres.query<{ input: string; metadata: string; secrets: string | null }>(
        { text: "SELECT input::text, metadata::text, secrets FROM jobs WHERE id = $1" },
        [body.jobId],
      );
      expect(stored?.secrets).toMatch(/^v1\./);
      if (type !== "sftp") expect(JSON.stringify(stored)).not.toContain(secret);
      const job = await world.work(body.jobId);
      expect(job).toMatchObject({ status: "Done", result: { totalRecords: 1, rejected: 0, error: 0 } });
      expect(job.metadata.source.sha256).toMatch(/^[0-9a-f]{64}$/);
      const { type: _wrong, ...wrong } = { ...storages.wrongSecret, ...pathOf(members) };
      expect(await start({ transport, ...wrong })).toMatchObject(refused(STORAGE));
      const gone = type === "s3" ? { aws_path: "exports/none.csv" } : { path: `${Reflect.get(members, "path")}-none` };
      expect(await start({ transport, ...members, ...gone })).toMatchObject(refused(STORAGE));
      await storages.stop();
    },
  );

  test("behind a link is imported; a link whose server is away is tried for an hour", async () => {
    const { body } = await start({ transport: "http", url: `${base}/products.csv?signature=hidden` });
    const [stored] = await world.service.postgres.query(
      { text: "SELECT input::text, metadata::text FROM jobs WHERE id = $1" },
      [body.jobId],
    );
    expect(JSON.stringify(stored)).not.toContain("hidden");
    isAway = true;
    const waiting = await world.service.call(world.key, `/v2/jobs/${body.jobId}`);
    expect(waiting.body.status).toBe("Pending");
    const away = await start({ transport: "http", url: `${base}/products.csv` });
    expect(away.status).toBe(202);
    isAway = false;
    expect(await world.work(body.jobId)).toMatchObject({ status: "Done", result: { totalRecords: 1 } });
    expect(await world.work(away.body.jobId)).toMatchObject({ status: "Done", result: { totalRecords: 1 } });
    // Lines of JSON name their members: the first bytes show it.
    const lines = await start({ transport: "http", url: `${base}/lines` }, { hasHeader: undefined });
    expect((await world.work(lines.body.jobId)).status).toBe("Done");
  });

  test("at a private address, or redirected to one, is refused, and so is what is not there", async () => {
    const before = await jobsSoFar();
    for (const url of [
      `${base}/none`,
      `${base}/to?url=${encodeURIComponent("http://169.254.169.254/latest")}`,
      "http://10.0.0.1/x.csv",
      "http://[::1]/x.csv",
      "http://localhost.localdomain.invalid/x.csv",
      "http://127.0.0.1:1/x.csv",
    ])
      expect(await start({ transport: "http", url })).toMatchObject(refused(STORAGE));
    expect(await jobsSoFar()).toBe(before);
    const closed = createOutbound({ allow: [] });
    await closed.close();
  });

  test("is refused with the path of each mistake, and nothing is started", async () => {
    const before = await jobsSoFar();
    const other = await world.service.account();
    const mistakes: [unknown, string, string][] = [
      [undefined, "/source", "required"],
      ["upload:x", "/source", "type_mismatch"],
      [{}, "/source/transport", "required"],
      [{ transport: "ftp", server: "x" }, "/source/transport", "bad_value"],
      [{ transport: "gcs", bucket: "x", path: "y" }, "/source/transport", "bad_value"],
      [{ transport: "file" }, "/source/path", "required"],
      [{ transport: "file", path: "/etc/passwd" }, "/source/path", "bad_value"],
      [{ transport: "file", path: "upload:65f0c0ffee65f0c0ffee0009" }, "/source/path", "unknown_reference"],
      [{ transport: "file", path: "upload:65f0c0ffee65f0c0ffee0009", url: "x" }, "/source/url", "unknown_field"],
      [{ transport: "https" }, "/source/url", "required"],
      [{ transport: "https", url: "http://example.com/x.csv" }, "/source/url", "bad_value"],
      [{ transport: "https", url: "https://user:secret@example.com/x.csv" }, "/source/url", "bad_value"],
      [{ transport: "http", url: "file:///etc/passwd" }, "/source/url", "bad_value"],
      [{ transport: "s3", aws_bucket: "lake" }, "/source/aws_access_key_id", "required"],
      [{ transport: "s3", savedKey: "none" }, "/source/savedKey", "unknown_reference"],
      [{ transport: "s3", aws_buckets: "x" }, "/source/aws_buckets", "unknown_field"],
      [{ transport: "sftp", server: "x.example", username: "x", path: "/x" }, "/source/password", "required"],
    ];
    for (const [source, path, code] of mistakes) {
      const { status, body } = await start(source);
      expect([path, status, body.code]).toEqual([path, 422, IMPORT]);
      expect(body.details).toContainEqual(expect.objectContaining({ path, code }));
    }
    const theirs = await world.service.key(other.account, { scopes: ["write"] });
    const path = await world.upload(CSV);
    const stolen = await world.post("productimports", { source: { transport: "file", path }, hasHeader: true }, theirs);
    expect(stolen).toMatchObject(refused(IMPORT, "/source/path", "unknown_reference"));
    expect(await jobsSoFar()).toBe(before);
  });
});

describe("the body of an import", () => {
  test("is refused with the path of each wrong option, and nothing is started", async () => {
    const source = { transport: "file", path: await world.upload(CSV) };
    const before = await jobsSoFar();
    const mistakes: [object, string, string][] = [
      [{ hasHeader: undefined }, "/hasHeader", "required"],
      [{ hasHeader: false }, "/hasHeader", "required"],
      [{ hasHeaders: true }, "/hasHeaders", "unknown_field"],
      [{ columns: [] }, "/columns", "out_of_range"],
      [{ delimiter: "ab" }, "/delimiter", "bad_value"],
      [{ encoding: "klingon" }, "/encoding", "bad_value"],
      [{ strategy: "replace" }, "/strategy", "bad_value"],
      [{ emptyCells: "drop" }, "/emptyCells", "bad_value"],
      [{ stopAfterRejections: -1 }, "/stopAfterRejections", "out_of_range"],
      [{ dryRun: "yes" }, "/dryRun", "type_mismatch"],
      [{ confirmEmail: "nobody" }, "/confirmEmail", "bad_value"],
      [{ jobStatusWebhookUrl: "ftp://x" }, "/jobStatusWebhookUrl", "bad_value"],
      [{ jobStatusWebhookUrl: "https://hooks.example/x" }, "/jobStatusWebhookUrl", "not_allowed"],
    ];
    for (const [more, path, code] of mistakes) {
      const { status, body } = await start(source, more);
      expect([path, status, body.code]).toEqual([path, 422, IMPORT]);
      expect(body.details).toContainEqual(expect.objectContaining({ path, code }));
    }
    const pathsOf = async (from: unknown, more: object) =>
      (await start(from, more)).body.details.map(({ path }: { path: string }) => path).sort();
    expect(await pathsOf(source, { delimiter: "ab", encoding: "klingon" })).toEqual(["/delimiter", "/encoding"]);
    const wrong = { delimiter: "ab", strategi: "upsert", stopAfterRejections: -1, confirmEmail: "nobody" };
    const options = ["/confirmEmail", "/delimiter"];
    const rest = ["/stopAfterRejections", "/strategi"];
    const sources: [unknown, string[]][] = [
      [undefined, ["/source"]],
      [{ transport: "file", path: "/etc/passwd", url: "x" }, ["/source/path", "/source/url"]],
      [{ transport: "file", path: "upload:65f0c0ffee65f0c0ffee0009" }, ["/source/path"]],
      [{ transport: "https", url: "ftp://x" }, ["/source/url"]],
      [{ transport: "sftp", savedKey: "none" }, ["/source/savedKey"]],
    ];
    for (const [from, paths] of sources) expect(await pathsOf(from, wrong)).toEqual([...options, ...paths, ...rest]);
    const unnamed = await pathsOf(source, { ...wrong, hasHeader: undefined });
    expect(unnamed).toEqual([...options, "/hasHeader", ...rest]);
    expect(await jobsSoFar()).toBe(before);
  });

  test("may name who is notified at the end: by mail, and by a signed call", async () => {
    const key = await world.service.key(world.account, { scopes: ["account:write"] });
    await world.service.call(key, "/v2/account", { method: "PUT", body: { webhookSecret: SECRET } });
    const source = { transport: "file", path: await world.upload(CSV) };
    const recipients = { confirmEmail: "ada@receiver.example", jobStatusWebhookUrl: "https://hooks.example/x" };
    const { status, body } = await start(source, { ...recipients, accountId: "passed over" });
    expect([status, body]).toEqual([202, { jobId: expect.any(String) }]);
    const notices = await world.service.postgres.query<{ kind: string; target: string }>(
      { text: "SELECT kind, target FROM job_notices WHERE job = $1 ORDER BY kind" },
      [body.jobId],
    );
    expect(notices.map(({ kind }) => kind)).toEqual(["email", "webhook"]);
    expect(JSON.stringify(notices)).not.toContain("example");
    expect((await world.work(body.jobId)).status).toBe("Done");
  });
});

function pathOf(members: object): object {
  const name = "aws_path" in members ? "aws_path" : "path";
  return { [name]: Reflect.get(members, name) };
}
