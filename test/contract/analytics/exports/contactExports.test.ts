import { hash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import type { Account } from "@headwater/contracts";
import { ensureAttributes } from "@headwater/records/attributes/postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { storedTime } from "../../service/running.ts";
import { AT, versionAt } from "../../service/seed.ts";
import { cid, seedAnalytics } from "../analyticsWorld.ts";
import { type ExportWorld, startExportWorld } from "./exportWorld.ts";

let world: ExportWorld;
beforeAll(async () => {
  world = await startExportWorld();
  await seedAnalytics(world.service, world.account, 0);
});
afterAll(() => world.drop());

/** Limit of the columns of an export. */
const ATTRIBUTES = 2_000;
const created = new Date(AT).toISOString();
const fields = ["cID", "color", "channels.email.address", "createdAt", "lists"];

describe("an export of contacts", () => {
  test("writes csv as RFC 4180 has it, and its manifest last", async () => {
    const done = await world.run("contactexports", { fields, lists: ["vip"], name: "people" });
    expect(done).toMatchObject({ jobName: "ExportContacts", status: "Done", totalItems: 2, completedItems: 2 });
    expect(done.result.totalRecords).toBe(2);
    const [file] = done.metadata.files;
    const text = (await world.bytes(file)).toString();
    expect(text).toBe(
      [
        '"cID","color","channels.email.address","createdAt","lists","lists.vip"',
        `"${cid(1)}","red","ada@example.com",${created},"[""vip""]",1`,
        `"${cid(3)}","blue",,${created},"[]",0`,
        "",
      ].join("\r\n"),
    );
    expect(file).toMatchObject({ name: `people-${done.id}.csv`, rows: 2, sha256: hash("sha256", text, "hex") });
    const bare = await world.run("contactexports", { fields: ["email"], showHeader: false, exportType: "txt" });
    expect((await world.bytes(bare.metadata.files[0])).toString().split("\n")[0]).toBe('"ada@example.com"');
    const manifest = JSON.parse((await world.bytes(done.metadata.manifest)).toString());
    expect(manifest).toMatchObject({
      jobId: done.id,
      rows: 2,
      format: "csv",
      formulaSafe: true,
      files: [{ name: file.name, bytes: file.bytes, sha256: file.sha256, rows: 2 }],
      watermark: done.metadata.watermark,
    });
    expect(manifest.columns[0]).toEqual({ name: "cID", field: "cID", type: "text" });
    expect((await world.service.call(undefined, file.url)).text).toBe(text);
    expect((await world.service.call(undefined, done.metadata.manifest.url)).status).toBe(200);
  });

  test("writes the cID as an identifier too", async () => {
    const done = await world.run("contactexports", { fields: ["identifiers.cID"], exportType: "txt" });
    const text = (await world.bytes(done.metadata.files[0])).toString();
    expect(text).toBe(`"identifiers.cID"\n"${cid(1)}"\n"${cid(3)}"\n`);
  });

  describe(`of ${ATTRIBUTES} attributes`, () => {
    const names = Array.from({ length: ATTRIBUTES }, (_, index) => `attributes.attribute ${index}`);
    const textOf = (name: string, contact: number) => `${name}, "of" ${contact}`;
    let account: Account;
    beforeAll(async () => {
      account = (await world.service.account()).account;
      const { postgres, insert } = world.service;
      const keys = names.map((name) => name.slice("attributes.".length));
      await ensureAttributes(
        postgres,
        keys.map((key) => ({ account: account.number, key })),
        AT,
      );
      const shared = { version: versionAt(AT), revision: 1 };
      const present = { created_at: storedTime(AT), modified_at: storedTime(AT), merged_into: 0, deleted: 0 };
      for (const contact of [1, 2]) {
        await insert("contacts_current", account, [{ contact, cid: cid(contact), ...present, ...shared }]);
        const written = { contact, kind: "string", number: null, ...shared };
        const fields = names.map((field) => ({ ...written, field, text: textOf(field, contact) }));
        await insert("contact_fields_current", account, fields);
      }
    });

    /** Exports all fields, and reads the file back with DuckDB. */
    async function exported(exportType: "csv" | "jsonl", criteria: object) {
      const key = await world.service.key(account, { scopes: ["read", "write", "admin"] });
      const done = await world.runAs({ key }, "contactexports", { fields: "*", exportType, criteria });
      const path = join(world.folder, `${done.id}.read`);
      writeFileSync(path, await world.bytes({ ...done.metadata.files[0], account: account.id }));
      const duck = await DuckDBInstance.create(":memory:");
      const connection = await duck.connect();
      const readers = {
        csv: `read_csv('${path}', header = true, all_varchar = true)`,
        jsonl: `read_json('${path}', format = 'newline_delimited')`,
      };
      const rows = (await connection.runAndReadAll(`SELECT * FROM ${readers[exportType]}`)).getRowObjectsJson();
      connection.closeSync();
      duck.closeSync();
      return rows;
    }

    test.each(["csv", "jsonl"] as const)(
      "writes all to %s, by criteria of 200 nodes and 1,000 values",
      {
        timeout: 300_000,
      },
      async (exportType) => {
        const others = Array.from({ length: 999 }, (_, index) => `other ${index}`);
        const [first = "", ...rest] = names.slice(0, 199);
        const leaves = rest.map((field) => ({ field, op: "neq", value: textOf(field, 1) }));
        const values = { field: first, op: "in", value: [...others, textOf(first, 2)] };
        const rows = await exported(exportType, { and: [values, ...leaves] });
        const wrong = names.filter((name) => rows[0]?.[name] !== textOf(name, 2));
        expect([rows.map(({ cID }) => cID), wrong]).toEqual([[cid(2)], []]);
      },
    );
  });

  test("names lists by their ids too, as numbers and as texts", async () => {
    const { body } = await world.service.call(world.key, "/v2/accountlists?name=vip");
    for (const list of [body.data[0].id, String(body.data[0].id)]) {
      const done = await world.run("contactexports", { fields: ["cID"], lists: [list] });
      const text = (await world.bytes(done.metadata.files[0])).toString();
      expect(text.split("\r\n").slice(0, 2)).toEqual(['"cID","lists.vip"', `"${cid(1)}",1`]);
    }
  });

  test("writes JSON lines, or one array, with nulls where there is nothing", async () => {
    const rows = [
      { cID: cid(1), color: "red", "channels.email.address": "ada@example.com", createdAt: created, lists: ["vip"] },
      { cID: cid(3), color: "blue", "channels.email.address": null, createdAt: created, lists: [] },
    ];
    const lines = await world.run("contactexports", { fields, exportType: "jsonl", compress: true });
    const unzipped = gunzipSync(await world.bytes(lines.metadata.files[0])).toString();
    expect(
      unzipped
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(rows);
    const array = await world.run("contactexports", { fields, exportType: "json", compression: "zstd" });
    expect(JSON.parse(zstdDecompressSync(await world.bytes(array.metadata.files[0])).toString())).toEqual(rows);
  });

  test("splits files, and exports those who match alone", async () => {
    const split = await world.run("contactexports", { fields: ["cID"], limitRecordsPerFile: 1, exportType: "jsonl" });
    const names = split.metadata.files.map(({ name }: { name: string }) => name);
    expect(names).toEqual([`ExportContacts-${split.id}-00001.jsonl`, `ExportContacts-${split.id}-00002.jsonl`]);
    const criteria = { and: [{ field: "attributes.color", op: "eq", value: "blue" }] };
    const some = await world.run("contactexports", { fields: ["cID"], criteria, exportType: "jsonl" });
    expect((await world.bytes(some.metadata.files[0])).toString()).toBe(`${JSON.stringify({ cID: cid(3) })}\n`);
    const nobody = { and: [{ field: "attributes.color", op: "eq", value: "green" }] };
    const none = await world.run("contactexports", { fields: ["cID"], criteria: nobody });
    expect((await world.bytes(none.metadata.files[0])).toString()).toBe('"cID"\r\n');
  });

  test("has the same values of few fields and of many", async () => {
    const keys = Array.from({ length: 20 }, (_, position) => `many_${position}`);
    await ensureAttributes(
      world.service.postgres,
      keys.map((key) => ({ account: world.account.number, key })),
      AT,
    );
    const stored = { contact: 3, kind: "string", number: null, version: versionAt(AT), revision: 1 };
    const values = keys.map((key) => ({ ...stored, field: `attributes.${key}`, text: `of ${key}` }));
    const removed = { ...stored, field: "attributes.many_1", kind: "removed", text: "", revision: 2 };
    await world.service.insert("contact_fields_current", world.account, [...values, removed]);
    const rowsWith = async (attributes: readonly string[]) => {
      const body = { fields: [...fields, ...attributes], exportType: "jsonl" };
      const [file] = (await world.run("contactexports", body)).metadata.files;
      const lines = (await world.bytes(file)).toString().trimEnd().split("\n");
      return lines.map((line) => JSON.parse(line));
    };
    const [few, many] = [await rowsWith(keys.slice(0, 2)), await rowsWith(keys)];
    expect(few[1]).toMatchObject({ cID: cid(3), many_0: "of many_0", many_1: null });
    expect(many).toEqual([
      { ...few[0], ...Object.fromEntries(keys.map((key) => [key, null])) },
      { ...few[1], ...Object.fromEntries(keys.slice(2).map((key) => [key, `of ${key}`])) },
    ]);
  });

  test("since a watermark holds who was written or entered since, and names who is gone in a file of its own", async () => {
    const criteria = { field: "attributes.color", op: "exists" };
    const body = { fields: ["cID", "color"], exportType: "jsonl" };
    const first = await world.run("contactexports", body);
    const ofCriteria = await world.run("contactexports", { ...body, criteria });
    const { token } = first.metadata.watermark;
    const nothing = await world.run("contactexports", { ...body, since: token });
    expect(nothing.metadata.files).toMatchObject([
      { rows: 0 },
      { rows: 0, kind: "gone", name: expect.stringContaining("-gone.jsonl") },
    ]);
    await world.service.postgres.execute({ text: "SELECT setval('outbox_positions', 100)" });
    const field = { kind: "string", number: null, version: versionAt(Date.now()), revision: 50 };
    const written = { contact: 3, field: "attributes.color", text: "green", ...field };
    await world.service.insert("contact_fields_current", world.account, [written]);
    await world.service.insert("contact_aliases", world.account, [{ contact: 2, survivor: 1, revision: 60 }]);
    const second = await world.run("contactexports", { ...body, since: token });
    const [changed, gone] = second.metadata.files;
    // The survivor takes the place of the one that was merged into it.
    const rows = [
      { cID: cid(1), color: "red" },
      { cID: cid(3), color: "green" },
    ];
    expect((await world.bytes(changed)).toString()).toBe(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    const merged = { cID: cid(2), reason: "merged", into: cid(1) };
    expect(JSON.parse((await world.bytes(gone)).toString())).toEqual(merged);
    expect(ofCriteria.metadata.files[0].rows).toBe(2);
    const own = { cid: cid(2), created_at: storedTime(AT), modified_at: storedTime(AT), version: versionAt(AT) };
    const again = { contact: 2, ...own, merged_into: 0, deleted: 0, revision: 70 };
    await world.service.insert("contacts_current", world.account, [again]);
    await world.service.insert("contact_aliases", world.account, [{ contact: 2, survivor: 0, revision: 70 }]);
    const split = await world.run("contactexports", { ...body, since: token, fields: ["cID"] });
    expect((await world.bytes(split.metadata.files[0])).toString()).toContain(cid(2));
  });

  test.each([
    ["cleared", 500, "/clear", "PUT"],
    ["deleted", 600, "", "DELETE"],
  ] as const)("since a watermark holds those who were on a list that was %s since", async (_, n, call, method) => {
    const { account } = await world.service.account();
    const by = { key: await world.service.key(account, { scopes: ["read", "write", "admin"] }) };
    await seedAnalytics(world.service, account, n);
    const [vip] = (await world.service.call(by.key, "/v2/accountlists?name=vip")).body.data;
    const rowsSince = async (token?: string) => {
      const body = { fields: ["cID", "lists"], exportType: "jsonl", ...(token && { since: token }) };
      const done = await world.runAs(by, "contactexports", body);
      const text = (await world.bytes({ ...done.metadata.files[0], account: account.id })).toString();
      const rows = text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
      return { rows, token: done.metadata.watermark.token };
    };
    const first = await rowsSince();
    expect(first.rows).toContainEqual({ cID: cid(n + 1), lists: ["vip"] });
    expect((await rowsSince(first.token)).rows).toEqual([]);
    const emptied = await world.service.call(by.key, `/v2/accountlists/${vip.id}${call}`, { method });
    expect(emptied.status).toBe(200);
    const second = await rowsSince(first.token);
    expect(second.rows).toEqual([{ cID: cid(n + 1), lists: [] }]);
    expect((await rowsSince(second.token)).rows).toEqual([]);
  });

  test("remembers whom each of its files is about", async () => {
    const done = await world.run("contactexports", { fields: ["cID"], limitRecordsPerFile: 1 });
    const [first, other] = done.metadata.files;
    const rows = await world.service.clickHouse.query<{ file: string }>(
      "SELECT DISTINCT file FROM exported_contacts WHERE job = {job: String} AND contact = 1",
      { job: done.id },
    );
    expect(rows).toEqual([{ file: first.name }]);
    expect(other.name).not.toBe(first.name);
    const left = await world.service.clickHouse.query("SHOW TABLES LIKE 'export_staging%'");
    expect(left).toEqual([]);
  });

  test("is refused whole for a name that nobody knows, with the nearest ones", async () => {
    const refused = await world.post("contactexports", { fields: ["colr", "cID"], exportTyp: "csv", delimiter: "ab" });
    expect(refused).toMatchObject({ status: 422, body: { code: "EXPORT_CONFIGURATION_ERROR" } });
    const paths = refused.body.details.map(({ path }: { path: string }) => path).sort();
    expect(paths).toEqual(["/delimiter", "/exportTyp", "/fields/0"]);
    const all = await world.post("contactexports", { fields: ["colr"], criteria: { field: "nope", op: "exists" } });
    expect(codesOf(all)).toEqual(["EXPORT_CONFIGURATION_ERROR", "/criteria/field", "/fields/0"]);
    const criteria = {
      and: [
        { field: "nope", op: "exists" },
        { list: "vip", op: "is" },
      ],
    };
    const past = await world.post("contactexports", { fields: ["cID"], asOf: "yesterday", criteria });
    expect(codesOf(past)).toEqual(["EXPORT_CONFIGURATION_ERROR", "/asOf", "/criteria/and/1/op"]);
    const rules = await world.post("contactexports", { fields: ["cID"], criteria: { field: "nope" } });
    expect(rules).toMatchObject({ status: 422, body: { code: "INVALID_AUDIENCE_RULES" } });
  });
});

const codesOf = ({ body }: { readonly body: ReturnType<typeof JSON.parse> }) => [
  body.code,
  ...body.details.map(({ path }: { path: string }) => path).sort(),
];
