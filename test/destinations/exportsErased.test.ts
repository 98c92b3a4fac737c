import { existsSync } from "node:fs";
import { join } from "node:path";
import { createOutbound, createSealer } from "@headwater/kernel";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cid, seedAnalytics } from "../contract/analytics/analyticsWorld.ts";
import { type ExportWorld, startExportWorld } from "../contract/analytics/exports/exportWorld.ts";
import { workOff } from "../contract/jobs/workOff.ts";
import { type StorageWorld, worlds } from "./storageServers.ts";

const outbound = createOutbound({ allow: ["127.0.0.0/8"] });
const sealer = createSealer([Buffer.alloc(32, 7)]);
let world: ExportWorld;
let outside: StorageWorld;
beforeAll(async () => {
  [world, outside] = await Promise.all([startExportWorld({ outbound, sealer }), worlds.sftp()]);
  await seedAnalytics(world.service, world.account, 0);
});
afterAll(async () => {
  await Promise.all([world.drop(), outside.stop()]);
  await outbound.close();
});

const color = (value: string) => ({ field: "attributes.color", op: "eq", value });
const isThere = ({ id }: { readonly id: string }) => existsSync(join(world.folder, world.account.id, id));

test("an erasure deletes the kept files that hold the person, and lists the storages outside that got it", async () => {
  const fields = ["cID", "color"];
  const about = await world.run("contactexports", { fields, criteria: color("red"), limitRecordsPerFile: 1 });
  const others = await world.run("contactexports", { fields, criteria: color("blue") });
  const both = await world.run("contactexports", { fields, limitRecordsPerFile: 1 });
  const destination = outside.storage;
  const sent = await world.run("contactexports", { fields, criteria: color("red"), destination });
  await world.run("contactexports", { fields, criteria: color("blue"), destination });
  const profile = await world.post(`contacts/${cid(1)}/downloadprofile`, { destination });
  await workOff(world.service, profile.body.jobId, world.folder, { outbound, sealer });
  expect((await world.job(profile.body.jobId)).status).toBe("Done");
  const stored = await world.post(`contacts/${cid(1)}/downloadprofile`, {});
  await workOff(world.service, stored.body.jobId, world.folder, { outbound, sealer });
  const [storedFile] = (await world.job(stored.body.jobId)).metadata.files;
  expect(isThere(storedFile)).toBe(true);

  const erased = await world.service.call(world.key, `/v2/contacts/${cid(1)}`, { method: "DELETE" });
  const work = () => workOff(world.service, erased.body.jobId, world.folder, { outbound, sealer });
  await work();
  // The list is made once, however often the files are searched for.
  await work();
  expect((await world.job(about.id)).metadata.files).toMatchObject([{ erased: true }]);
  expect(about.metadata.files.map(isThere)).toEqual([false]);
  const [erasedProfile] = (await world.job(stored.body.jobId)).metadata.files;
  expect(erasedProfile).toMatchObject({ name: storedFile.name, erased: true });
  expect([isThere(storedFile), Object.hasOwn(storedFile, "url"), Object.hasOwn(erasedProfile, "url")]).toEqual([
    false,
    true,
    false,
  ]);
  expect(both.metadata.files.map(isThere)).toEqual([false, true]);
  expect((await world.job(others.id)).metadata.files[0]).not.toHaveProperty("erased");
  expect(others.metadata.files.map(isThere)).toEqual([true]);
  const { server, port, path } = { server: "127.0.0.1", port: outside.port, path: expect.any(String) };
  const where = { type: "sftp", server, port, path };
  const { destinations } = (await world.job(erased.body.jobId)).metadata;
  expect(destinations).toEqual([
    { jobId: sent.id, jobName: "ExportContacts", destination: where, files: [sent.metadata.files[0].name] },
    { jobId: profile.body.jobId, jobName: "ExportContactProfile", destination: where, files: [expect.any(String)] },
  ]);
  expect((await world.job(sent.id)).metadata.files[0]).not.toHaveProperty("erased");
});
