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
    const line = JSON.stringify({ contact: { identifiers }, name: "visit" });
    const activities = await world.run("activityimports", `${line}\n`, { dryRun: true, canBeCreated: true });
    expect(activities).toMatchObject({ result: { rejected: 0 }, metadata: { similarNames: { Email: 1 } } });
  });
});
