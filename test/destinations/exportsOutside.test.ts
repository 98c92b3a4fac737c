import { hash } from "node:crypto";
import { createOutbound, createSealer } from "@headwater/kernel";
import { createTcpProxy } from "@headwater/testing";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { seedAnalytics } from "../contract/analytics/analyticsWorld.ts";
import {
  type ExportWorld,
  haveRead,
  loggedActivity,
  startExportWorld,
} from "../contract/analytics/exports/exportWorld.ts";
import { type StorageWorld, worlds } from "./storageServers.ts";

const outbound = createOutbound({ allow: ["127.0.0.0/8"] });
const sealer = createSealer([Buffer.alloc(32, 7)]);
const ACTIVITIES = 40;
let world: ExportWorld;
beforeAll(async () => {
  world = await startExportWorld({ outbound, sealer });
  await seedAnalytics(world.service, world.account, 0);
  // The one at offset 0 is seeded.
  const logged = Array.from({ length: ACTIVITIES }, (_, before) => loggedActivity(1, { offset: before + 1 }));
  await world.service.insert("activities", world.account, logged);
  await haveRead(world, ACTIVITIES + 1);
});
afterAll(async () => {
  await world.drop();
  await outbound.close();
});

const activities = {
  timeframe: { start: "2000-01-01", end: "2100-01-01" },
  exportType: "csv",
  formulaSafe: false,
  sort: "time",
  limitRecordsPerFile: 25,
};

describe.each(Object.entries(worlds))("an export to %s", (_type, startWorld) => {
  let outside: StorageWorld;
  beforeAll(async () => {
    outside = await startWorld();
  });
  afterAll(() => outside.stop());
  afterEach(() => haveRead(world, ACTIVITIES + 1));

  test("holds the bytes of the one that is kept here, with its manifest", async () => {
    const stored = await world.run("contactactivityexport", activities);
    const sent = await world.run("contactactivityexport", { ...activities, destination: outside.storage });
    expect(sent).toMatchObject({ status: "Done", completedItems: ACTIVITIES, totalItems: ACTIVITIES });
    expect(sent.metadata.files).toHaveLength(2);
    const files = await outside.files();
    for (const [index, file] of sent.metadata.files.entries()) {
      const bytes = files.get(file.name);
      expect(bytes?.toString()).toBe((await world.bytes(stored.metadata.files[index])).toString());
      expect(file).toMatchObject({ bytes: bytes?.length, sha256: hash("sha256", bytes ?? "", "hex") });
      expect(file).not.toHaveProperty("url");
    }
    const manifest = files.get(sent.metadata.manifest.name);
    expect(JSON.parse(manifest?.toString() ?? "")).toMatchObject({ jobId: sent.id, rows: ACTIVITIES });
    for (const secret of secretsOf(outside)) expect(`${manifest}${JSON.stringify(sent)}`).not.toContain(secret);
    expect(await outside.unfinished()).toBe(0);
  });

  test("goes on when the storage is back, with one manifest and no part left", async () => {
    const proxy = await createTcpProxy({ host: "127.0.0.1", port: outside.port });
    const started = await world.post("contactactivityexport", {
      ...activities,
      destination: outside.through(proxy.port),
    });
    expect(started.status).toBe(202);
    proxy.setMode("refuse");
    const waiting = await world.workOn(started.body.jobId);
    expect(waiting.metadata.manifest).toBeUndefined();
    expect(["Processing", "Throttled"]).toContain(waiting.status);
    proxy.setMode("forward");
    const done = await world.workOn(started.body.jobId);
    expect(done).toMatchObject({ status: "Done", completedItems: ACTIVITIES });
    expect((await outside.files()).has(done.metadata.manifest.name)).toBe(true);
    expect(await outside.unfinished()).toBe(0);
    await proxy.close();
  });
});

/** Returns the secrets of a storage: what it does not share with the one that has a wrong secret. */
function secretsOf({ storage, wrongSecret }: StorageWorld): readonly string[] {
  const wrong = new Map<string, unknown>(Object.entries(wrongSecret));
  const secrets = Object.entries(storage).filter(
    ([name, value]) => typeof value === "string" && wrong.get(name) !== value,
  );
  if (secrets.length === 0) throw new Error("the storage has no secret");
  return secrets.map(([, value]) => String(value));
}
