import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ImportWorld, startImportWorld } from "./importWorld.ts";

let world: ImportWorld;
beforeAll(async () => {
  world = await startImportWorld();
});
afterAll(() => world.drop());

describe("a dry run", () => {
  test("counts the rows whose names are nearly an identifier or a channel", async () => {
    const csv = "email,attributes.Customer_ID\na@x.example,c1\nb@x.example,c2\nc@x.example,\n";
    const contacts = await world.run("contactimports", csv, { dryRun: true });
    expect(contacts).toMatchObject({ result: { inserted: 3 }, metadata: { similarNames: { Customer_ID: 2 } } });
    const identifiers = { email: "a@x.example", Email: "A@x.example" };
    const line = JSON.stringify({ contact: { identifiers }, name: "visit", time: "2026-01-09T08:26:00Z" });
    const activities = await world.run("activityimports", `${line}\n`, { dryRun: true, canBeCreated: true });
    expect(activities).toMatchObject({ result: { rejected: 0 }, metadata: { similarNames: { Email: 1 } } });
  });

  test("rejects the rows whose only identifier says that there is no value, and counts the others", async () => {
    const csv = "email,customer_id\nn/a,-\nann@x.example,N/A\nbob@x.example,none\nnone,c7\nNULL,\n";
    const contacts = await world.run("contactimports", csv, { dryRun: true });
    expect(contacts).toMatchObject({
      result: { inserted: 3, rejected: 2 },
      metadata: { missingValues: { customer_id: 2 }, invalidAddresses: { email: 1 } },
    });
    const rejected = { code: "VALIDATION_ERROR", path: "/email", message: expect.stringContaining("no identifier") };
    expect(await world.rejections(contacts.id)).toMatchObject([
      { line: 2, ...rejected },
      { line: 6, ...rejected },
    ]);
    const time = "2026-01-09T08:26:00Z";
    const activities = `email,name,time\nn/a,visit,${time}\ncay@x.example,visit,${time}\n`;
    const visits = await world.run("activityimports", activities, { dryRun: true, canBeCreated: true });
    expect(visits.result).toMatchObject({ inserted: 1, rejected: 1 });
    expect(await world.rejections(visits.id)).toMatchObject([{ line: 2, ...rejected }]);
    const items = [{ productID: "p", sku: "s", name: "Heart", qty: 1, itemPrice: 2.5 }];
    const order = (email: string, orderID: string) => JSON.stringify({ orderID, purchaseDate: time, email, items });
    const lines = `${order("-", "o-1")}\n${order("dee@x.example", "o-2")}\n`;
    const orders = await world.run("ordersimport", lines, { dryRun: true, canBeCreated: true });
    expect(orders.result).toMatchObject({ inserted: 1, rejected: 1 });
    expect(await world.rejections(orders.id)).toMatchObject([{ line: 1, code: "VALIDATION_ERROR" }]);
  });
});
