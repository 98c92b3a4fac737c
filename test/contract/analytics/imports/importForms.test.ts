import { randomBytes } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { workbookOf } from "@headwater/jobs/sources/testWorkbook";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshFolder } from "../../jobs/workOff.ts";
import { seedContacts } from "../../service/seed.ts";
import { type ImportWorld, startImportWorld } from "./importWorld.ts";

let world: ImportWorld;
let folder: string;
beforeAll(async () => {
  world = await startImportWorld();
  folder = freshFolder();
});
afterAll(async () => {
  await world.drop();
  rmSync(folder, { recursive: true, force: true });
});

const PRODUCTS = "productimports";
const CONTACTS = "contactimports";
const product = async (id: string) =>
  (await world.service.call(world.key, `/v2/products/${encodeURIComponent(id)}`)).body;
const failed = (message: RegExp) => ({
  status: "Failed",
  metadata: { error: { code: "IMPORT_CONFIGURATION_ERROR", message: expect.stringMatching(message) } },
});

/** A Parquet file that DuckDB writes of a query. */
async function parquetOf(query: string, options = ""): Promise<Buffer> {
  const path = join(folder, `${randomBytes(6).toString("hex")}.parquet`);
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run(`COPY (${query}) TO '${path}' (FORMAT parquet${options})`);
  connection.closeSync();
  instance.closeSync();
  return readFileSync(path);
}

describe("a file of another program", () => {
  test("is read with Excel's semicolons in windows-1252, with a byte mark, and in UTF-16", async () => {
    const text = "productID;productName\r\nx1;Größe – 5 €\r\n";
    const windows = Buffer.from(text, "latin1");
    windows.set([0x96], text.indexOf("–"));
    windows.set([0x80], text.indexOf("€"));
    const marked = Buffer.from(`\uFEFF${text.replace("x1", "x2")}`);
    const utf16 = Buffer.from(`\uFEFF${text.replace("x1", "x3")}`, "utf16le");
    const [one, two, three] = [
      await world.run(PRODUCTS, windows),
      await world.run(PRODUCTS, marked),
      await world.run(PRODUCTS, utf16),
    ];
    expect(one.metadata.detected).toMatchObject({
      encoding: "windows-1252",
      delimiter: ";",
      compression: "none",
      hasHeader: true,
      columns: ["productID", "productName"],
    });
    expect([two.metadata.detected.encoding, three.metadata.detected.encoding]).toEqual(["utf-8", "utf-16le"]);
    for (const id of ["x1", "x2", "x3"]) expect(await product(id)).toMatchObject({ productName: "Größe – 5 €" });
  });

  test("is read with carriage returns alone, and packed by gzip or zstd", async () => {
    const text = "productID,productName\rcr1,One\rcr2,Two\r";
    expect((await world.run(PRODUCTS, text)).result).toMatchObject({ inserted: 2, rejected: 0 });
    const packed = await world.run(PRODUCTS, gzipSync(text));
    expect([packed.result.ignored, packed.metadata.detected.compression]).toEqual([2, "gzip"]);
    const zstd = await world.run(PRODUCTS, zstdCompressSync(text));
    expect([zstd.result.ignored, zstd.metadata.detected.compression]).toEqual([2, "zstd"]);
  });

  test("loses a row with an open quote and no other, and reports its line", async () => {
    const text = 'productID,productName\na,One\nb,"Two\r\nc,Three\nd,"Four\nlines"\n';
    const { id, result } = await world.run(PRODUCTS, text);
    expect(result).toMatchObject({ totalRecords: 4, inserted: 3, rejected: 1, error: 0 });
    expect(await world.rejections(id)).toMatchObject([
      { index: 1, line: 3, code: "VALIDATION_ERROR", record: 'b,"Two' },
    ]);
    expect(await product("d")).toMatchObject({ productName: "Four\nlines" });
  });

  test("fails before its first row when a column misspells a member of a channel", async () => {
    const text = (column: string) => `email,${column}\nann@x.example,a@x.example\n`;
    for (const column of ["channels.email.adress", "attributes.channels.email.address"])
      expect(await world.run("contactimports", text(column))).toMatchObject(failed(/channels do not have: "channels/));
    const path = await world.upload(text("X"));
    for (const X of ["channels.email.adress", "attributes.channels.email.address"]) {
      const body = { source: { transport: "file", path }, hasHeader: true, mapping: { X } };
      expect(await world.post("contactimports", body)).toMatchObject({
        status: 422,
        body: { details: [{ path: "/mapping/X", code: "unknown_field" }] },
      });
    }
    const line = JSON.stringify({ email: "ann@x.example", channels: { email: { adress: "a@x.example" } } });
    const { id, result } = await world.run("contactimports", `${line}\n`, { dryRun: true });
    expect(result).toMatchObject({ totalRecords: 1, rejected: 1 });
    expect(await world.rejections(id)).toMatchObject([{ index: 0, path: "/channels" }]);
  });

  test("passes over columns without a name while no row says anything there", async () => {
    const run = (text: string, more: object = {}) => world.run("contactimports", text, { dryRun: true, ...more });
    const empty = await run("email,,s1,\na@x.example,,1,\nb@x.example, ,2,\n");
    expect(empty).toMatchObject({ status: "Done", result: { inserted: 2 }, metadata: { unnamedColumns: [2, 4] } });
    const said = "email,,s1\na@x.example,,1\nb@x.example,x,2\n";
    expect(await run(said)).toMatchObject(failed(/column 2 no name/));
    expect(await run(said, { mapping: { "": null } })).toMatchObject({ status: "Done", result: { inserted: 2 } });
    const late = `email,\n${Array.from({ length: 3_000 }, (_, n) => `l${n}@x.example,\n`).join("")}z@x.example,late\n`;
    const rejected = await run(late);
    expect(rejected).toMatchObject({ status: "Done", result: { inserted: 3_000, rejected: 1 } });
    expect(await world.rejections(rejected.id)).toMatchObject([
      { index: 3_000, message: expect.stringMatching(/column 2/) },
    ]);
    const products = "productID,productName,\np1,One,\np2,Two,x\n";
    expect(await world.run("productimports", products)).toMatchObject(failed(/column 3 no name/));
  });

  test("of orders says that a file of columns cannot be one, whatever it says of a header", async () => {
    const path = await world.upload("orderID,email\no1,a@x.example\n");
    const source = { transport: "file", path };
    for (const more of [{}, { hasHeader: true }])
      expect(await world.runFrom("ordersimport", { source, ...more })).toMatchObject(failed(/must be lines of JSON/));
  });

  test("names contacts by identifiers that the account does not list, in columns and in lines of JSON", async () => {
    const csv = "identifiers.email,identifiers.loyalty\nann@x.example,L1\n";
    const line = `${JSON.stringify({ identifiers: { email: "ann@x.example", loyalty: "L1" } })}\n`;
    const alone = `${JSON.stringify({ identifiers: { loyalty: "L1" } })}\n`;
    for (const text of [csv, line, alone]) {
      const done = await world.run("contactimports", text, { dryRun: true });
      expect(done).toMatchObject({ status: "Done", result: { totalRecords: 1, rejected: 0 } });
      expect(done.metadata.newAttributes).toEqual([]);
    }
    const { metadata } = await world.run("contactimports", line, { dryRun: true, identifyBy: ["email"] });
    expect(metadata.newAttributes).toEqual([]);
  });

  test("has 10,000 columns", async () => {
    const names = Array.from({ length: 10_000 }, (_, n) => `properties.c${n}`);
    const text = `productID,productName,${names.join(",")}\nwide,Wide,${names.map((_, n) => n).join(",")}\n`;
    expect((await world.run(PRODUCTS, text)).result).toMatchObject({ totalRecords: 1, inserted: 1 });
    expect((await product("wide")).properties).toMatchObject({ c0: 0, c9999: 9_999 });
  });

  test("with a row that its encoding cannot mean is rejected in that row alone", async () => {
    const text = Buffer.concat([
      Buffer.from("productID,productName\ne1,"),
      Buffer.from([0xff, 0xfe]),
      Buffer.from("\ne2,Two\n"),
    ]);
    const { id, result } = await world.run(PRODUCTS, text, { encoding: "utf-8" });
    expect(result).toMatchObject({ inserted: 1, rejected: 1 });
    expect(await world.rejections(id)).toMatchObject([{ index: 0, line: 2 }]);
    const sjis = Buffer.concat([
      Buffer.from("productID,productName\ne3,"),
      Buffer.from([0x81, 0x20]),
      Buffer.from("\ne4,Two\n"),
    ]);
    expect((await world.run(PRODUCTS, sjis, { encoding: "shift_jis" })).result).toMatchObject({
      inserted: 1,
      rejected: 1,
    });
  });

  test("fails with its reason when it is a bomb, damaged, cut or empty", async () => {
    const zeros = Buffer.alloc(8 * 1024 * 1024, "a");
    const bomb = zstdCompressSync(Buffer.concat(Array.from({ length: 16 }, () => zeros)));
    expect(await world.run(PRODUCTS, bomb)).toMatchObject(failed(/grows more than/));
    const gzip = gzipSync(Buffer.concat(Array.from({ length: 12 }, () => zeros)), { level: 9 });
    expect(await world.run(PRODUCTS, gzip)).toMatchObject(failed(/grows more than/));
    expect(await world.run(PRODUCTS, gzipSync(randomBytes(4_096)).subarray(0, 900))).toMatchObject(failed(/cut short/));
    expect(await world.run(PRODUCTS, "")).toMatchObject(failed(/empty/));
    expect(await world.run(PRODUCTS, "productID,productID\na,b\n")).toMatchObject(failed(/twice.*productID/));
    const members = 'email,ltv,"attributes.ltv",lists.vip,LISTS.VIP,lists.VIP\na@x.org,1,2,1,1,1\n';
    expect(await world.run(CONTACTS, members)).toMatchObject(failed(/same member: "attributes.ltv", "lists.vip"/));
    expect(await world.run(PRODUCTS, 'productID,"name\na,b\n')).toMatchObject(failed(/header/i));
  });
});

describe("a file as people have it", () => {
  test("is read by the headers that people write, and fails before its first row without an identifier", async () => {
    const dryRun = (text: string, more: object = {}) => world.run(CONTACTS, text, { dryRun: true, ...more });
    const rows = "E-Mail;Customer ID;Mobile;Town\nann@x.example;c1;+43 660 1234567;Graz\n";
    const read = await dryRun(rows);
    expect(read).toMatchObject({ status: "Done", result: { inserted: 1 }, metadata: { newAttributes: ["Town"] } });
    const lines = await dryRun('[{"E-Mail": "ann@x.example", "Town": "Graz"}]', { hasHeader: undefined });
    expect(lines).toMatchObject({ status: "Done", result: { inserted: 1 }, metadata: { newAttributes: ["Town"] } });
    const stored = await dryRun("email,E-Mail\nann@x.example,other@x.example\n");
    expect(stored.metadata.newAttributes).toEqual(["E-Mail"]);
    expect(await dryRun("Kontakt,Town\nann@x.example,Graz\n")).toMatchObject(
      failed(/No column is an identifier .*"Kontakt" \(could be email\), "Town"/),
    );
    expect(await world.run(PRODUCTS, "Titel,Preis\nHeart,1\n")).toMatchObject(
      failed(/No column is an identifier \(productID\)/),
    );
    const products = await world.run(PRODUCTS, "Product ID,Name,Price\nhd1,Heart,2.55\n");
    expect([products.result.inserted, (await product("hd1")).productName]).toEqual([1, "Heart"]);
  });

  test("writes an attribute of a dotted name where a mapping or a header has one", async () => {
    const text = "email,Town,home.street\nann@x.example,Graz,Main 1\n";
    const options = { dryRun: true, mapping: { Town: "home.city" } };
    const job = await world.run(CONTACTS, text, options);
    expect(job).toMatchObject({ result: { inserted: 1 }, metadata: { newAttributes: ["home.city", "home.street"] } });
    expect(await world.run(CONTACTS, text, { ...options, createAttributes: false })).toMatchObject(
      failed(/"home.city"/),
    );
  });

  test("fails when all of its rows are rejected", async () => {
    for (const [path, text] of [
      [CONTACTS, "email,lists.vip\na@x.example,maybe\n,1\n"],
      [PRODUCTS, "productID,price\n,1\np,x\n"],
    ] as const) {
      const job = await world.run(path, text, { dryRun: true });
      expect(job).toMatchObject({
        ...{ status: "Failed", result: { totalRecords: 2, rejected: 2 } },
        metadata: { error: { code: "ALL_ROWS_REJECTED" } },
      });
      expect(await world.rejections(job.id)).toHaveLength(2);
    }
    expect(await world.run(CONTACTS, "email\n")).toMatchObject({ status: "Done", result: { totalRecords: 0 } });
  });

  test("has numbers and dates in the notation that the import names", async () => {
    const text =
      'productID;productName;price;sale.start;properties.since;properties.size;properties.zip\nn1;One;"1.234,50";31.01.2026;1.2.2026;2,5;01234\n';
    const job = await world.run(PRODUCTS, text, { decimal: ",", dateFormat: "dd.mm.yyyy" });
    expect(await world.rejections(job.id)).toEqual([]);
    expect(await product("n1")).toMatchObject({
      ...{ price: 1234.5, sale: { start: "2026-01-31T00:00:00.000Z" } },
      properties: { since: "2026-02-01", size: 2.5, zip: "01234" },
    });
    const path = await world.upload(text);
    const body = { source: { transport: "file", path }, hasHeader: true, decimal: ";", dateFormat: "dd.mm" };
    expect(await world.post(PRODUCTS, body)).toMatchObject({
      status: 422,
      body: { details: [{ path: "/decimal" }, { path: "/dateFormat" }] },
    });
  });

  test("shows in a dry run what each column would become, and warns of another notation", async () => {
    const text = "E-Mail;Spent;Since;lists.vip\nann@X.example;1.234,50;31.01.2026;1\nbob@x.example;2,5;1.2.2026;0\n";
    const columnsOf = async (more: object) =>
      (await world.run(CONTACTS, text, { dryRun: true, ...more })).metadata.columns;
    expect(await columnsOf({})).toMatchObject([
      { column: "E-Mail", member: "email", types: ["string"], values: ["ann@x.example", "bob@x.example"] },
      { column: "Spent", member: "attributes.Spent", types: ["string"], warning: { code: "looks_like_numbers" } },
      { column: "Since", member: "attributes.Since", warning: { code: "looks_like_dates" } },
      { column: "lists.vip", types: ["boolean"], values: [true, false] },
    ]);
    const [, spent, since] = await columnsOf({ decimal: ",", dateFormat: "dd.mm.yyyy" });
    expect([spent, since]).toEqual([
      { column: "Spent", member: "attributes.Spent", types: ["number"], values: [1234.5, 2.5] },
      { column: "Since", member: "attributes.Since", types: ["string"], values: ["2026-01-31", "2026-02-01"] },
    ]);
  });

  test("names columns of another notation, and counts texts with the mark of exports", async () => {
    const text = "productID;productName;properties.size\nmk1;'=1+1;1.234,50\n";
    const warned = (await world.run(PRODUCTS, text)).metadata;
    expect([warned.columnWarnings[0].column, warned.markedTexts]).toEqual(["properties.size", { productName: 1 }]);
    const { metadata } = await world.run(PRODUCTS, text, { decimal: ",", formulaSafe: true });
    expect(metadata.columnWarnings ?? metadata.markedTexts).toBeUndefined();
  });

  test("begins with Excel's separator line, or stands in columns apart by blanks", async () => {
    const excel = await world.run(PRODUCTS, "sep=|\r\nproductID|productName\r\nsp1|a;b,c\r\n|x\r\n");
    expect([excel.result.inserted, excel.metadata.detected.delimiter]).toEqual([1, "|"]);
    expect(await world.rejections(excel.id)).toMatchObject([{ index: 1, line: 4 }]);
    const aligned = 'productID  productName        price\nbl1        "Chevrolet Malibu"   18.5\n bl2       Ford  7\n';
    const { result } = await world.run(PRODUCTS, aligned, { delimiter: "blanks" });
    expect(result).toMatchObject({ inserted: 2, rejected: 0 });
    expect(await product("bl1")).toMatchObject({ productName: "Chevrolet Malibu", price: 18.5 });
  });

  test("is an array of JSON, in any encoding and packed", async () => {
    const rows = [
      { productID: "ja1", productName: "Größe", properties: { a: [1, { b: "]" }] } },
      { productID: "ja2", productName: "Two" },
    ];
    const text = JSON.stringify(rows, null, 2);
    const job = await world.run(PRODUCTS, text, { hasHeader: undefined });
    expect(job).toMatchObject({ status: "Done", result: { totalRecords: 2, inserted: 2 } });
    expect((await product("ja1")).properties).toEqual({ a: [1, { b: "]" }] });
    for (const bytes of [gzipSync(text), Buffer.from(`\uFEFF${text}`, "utf16le")])
      expect((await world.run(PRODUCTS, bytes, { hasHeader: undefined })).result).toMatchObject({ ignored: 2 });
    expect(await world.run(PRODUCTS, "[]", { hasHeader: undefined })).toMatchObject({ result: { totalRecords: 0 } });
    expect(await world.run(PRODUCTS, text.slice(0, -3), { hasHeader: undefined })).toMatchObject(failed(/ends within/));
  });

  test("is the first sheet of a workbook, read with its types", async () => {
    const sheet = workbookOf([
      ["Product ID", "Name", "Price", "properties.since", "properties.code"],
      ["wb1", "Größe, zwei", 1.5, { serial: 46_053 }, "007"],
      [null, "no id", null, null, null],
    ]);
    const job = await world.run(PRODUCTS, sheet, { delimiter: ";" });
    expect(job).toMatchObject({
      result: { totalRecords: 2, inserted: 1, rejected: 1 },
      metadata: { detected: { format: "xlsx" } },
    });
    expect(await product("wb1")).toMatchObject({
      ...{ productName: "Größe, zwei", price: 1.5, properties: { since: "2026-01-31", code: "007" } },
    });
    const comma = workbookOf([
      ["Product ID", "Name", "Price", "properties.size"],
      ["wb2", "x", 2.5, "1,25"],
    ]);
    await world.run(PRODUCTS, comma, { decimal: "," });
    expect(await product("wb2")).toMatchObject({ price: 2.5, properties: { size: 1.25 } });
  });

  test("without rows, such as a PDF, fails and is named as what it is", async () => {
    for (const [bytes, what] of [
      ["%PDF-1.7\n…", /a PDF document/],
      ["<!DOCTYPE html><html></html>", /an HTML page/],
      [Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), /old Office file, such as \.xls/],
      [Buffer.from("UEsDBAoAAAAAAA==", "base64"), /zip archive/],
    ] as const)
      expect(await world.run(CONTACTS, bytes)).toMatchObject(failed(what));
  });
});

describe("Parquet", () => {
  test("is imported with its types: decimals to the digit, moments, lists, groups, missing values unchanged", async () => {
    await world.run(PRODUCTS, "productID,productName,category\npq2,Two,Kept\n");
    const file = await parquetOf(`SELECT * FROM (VALUES
      ('pq1', 'One', 19.99::DECIMAL(18,4), ['a','b'], {'colour': 'red', 'big': 9007199254740993}, true, TIMESTAMPTZ '2026-01-09 22:47:12Z', DATE '2026-01-10'),
      ('pq2', 'Two', 99999999999999.1234::DECIMAL(18,4), NULL, NULL, false, NULL, NULL))
      t(productID, productName, price, tags, properties, inStock, "sale.start", "sale.end")`);
    const job = await world.run(PRODUCTS, file, { hasHeader: undefined });
    expect(job.metadata.detected).toMatchObject({
      format: "parquet",
      columns: expect.arrayContaining(["price", "tags"]),
    });
    expect(await world.rejections(job.id)).toEqual([]);
    const [one, two] = [await product("pq1"), await world.service.call(world.key, "/v2/products/pq2")];
    expect(one).toMatchObject({
      ...{ price: 19.99, tags: ["a", "b"], properties: { colour: "red", big: "9007199254740993" } },
      sale: { start: "2026-01-09T22:47:12.000Z", end: "2026-01-10T00:00:00.000Z" },
    });
    expect(two.body).toMatchObject({ category: "Kept", inStock: false });
    expect(two.text).toContain("99999999999999.1234");
  });

  test("changes nothing where its texts spell stored values of attributes without a type", async () => {
    const attributes = { size: 5, isNew: true, labels: ["a", "b"], code: "007" };
    const email = "spelled@example.com";
    const contact = { number: 900, cid: "0".repeat(21).concat("384"), identifiers: { email }, attributes };
    await seedContacts(world.service.postgres, world.account, [contact]);
    const sizes = async (size: string) => {
      const row = `SELECT '${email}' AS email, '${size}' AS size, 'true' AS "isNew", '["a", "b"]' AS labels, '007' AS code`;
      const { result } = await world.run("contactimports", await parquetOf(row), {
        dryRun: true,
        hasHeader: undefined,
      });
      return result;
    };
    expect(await sizes("5")).toMatchObject({ totalRecords: 1, ignored: 1, updated: 0, rejected: 0 });
    expect(await sizes("6")).toMatchObject({ totalRecords: 1, ignored: 0, updated: 1, rejected: 0 });
    const csv = await world.run("contactimports", `email,size\n${email},"5"\n`, { dryRun: true });
    expect(csv.result).toMatchObject({ totalRecords: 1, updated: 1 });
  });

  test("of many row groups and of every codec is read to its last row, also packed by gzip", async () => {
    const rows =
      "SELECT 'g' || i AS productID, 'Name ' || (i % 7) AS productName, i * 1.5 AS price FROM range(5000) t(i)";
    for (const [position, codec] of ["snappy", "gzip", "zstd", "uncompressed", "lz4_raw", "brotli"].entries()) {
      const file = await parquetOf(rows, `, COMPRESSION ${codec}, ROW_GROUP_SIZE 2048`);
      const { result } = await world.run(PRODUCTS, position === 0 ? gzipSync(file) : file);
      expect([codec, result.inserted, result.ignored]).toEqual([
        codec,
        position === 0 ? 5_000 : 0,
        position === 0 ? 0 : 5_000,
      ]);
    }
  });

  test("with a cut footer, a broken one, or maps fails with its reason", async () => {
    const file = await parquetOf("SELECT 'p' || i AS productID FROM range(3000) t(i)");
    expect(await world.run(PRODUCTS, file.subarray(0, file.length - 100))).toMatchObject(failed(/damaged or cut/));
    const broken = Buffer.from(file);
    broken.fill(0xff, file.length - 200, file.length - 8);
    expect(await world.run(PRODUCTS, broken)).toMatchObject(failed(/damaged or cut/));
    const pages = Buffer.from(file);
    pages.fill(0xff, 4, 1_000);
    expect(await world.run(PRODUCTS, pages)).toMatchObject({
      status: "Failed",
      metadata: { error: { code: "IMPORT_CONFIGURATION_ERROR" } },
    });
    const maps = await parquetOf("SELECT 'm' AS productID, MAP {'a': 1} AS \"properties\"");
    expect(await world.run(PRODUCTS, maps)).toMatchObject(failed(/"properties" \(map\)/));
    const orders = await parquetOf("SELECT 'o' AS orderID");
    expect(await world.run("ordersimport", orders, { hasHeader: undefined })).toMatchObject(failed(/lines of JSON/));
  });
});
