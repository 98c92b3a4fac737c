import { expect, test } from "vitest";
import { manualClock } from "./clock.ts";
import { HeadwaterError } from "./errors.ts";
import { createHousekeeping } from "./housekeeping.ts";
import { createLogger } from "./logger.ts";

const logger = createLogger({ name: "test", level: "silent" });

test("deletes at the start what is old by its clock, and is not busy after that", async () => {
  const clock = manualClock(1_000);
  const asked: number[] = [];
  const deleteOld = async (nowMs: number) => void asked.push(nowMs);
  const housekeeping = createHousekeeping({ what: "old rows", deleteOld, clock, logger });
  housekeeping.start();
  await expect.poll(() => asked.length).toBe(1);
  await housekeeping.stop();
  expect(asked).toEqual([clock.nowMs()]);
});

test("housekeeping reports what could not be deleted, and tries again", async () => {
  const messages: string[] = [];
  const recording = createLogger({
    name: "test",
    destination: { write: (line) => void messages.push(JSON.parse(line).msg) },
  });
  let calls = 0;
  const deleteOld = async () => {
    calls += 1;
    if (calls === 1) throw new Error("away");
  };
  const housekeeping = createHousekeeping({ what: "old rows", deleteOld, clock: manualClock(0), logger: recording });
  housekeeping.start();
  await expect.poll(() => calls).toBe(2);
  await housekeeping.stop();
  expect(messages).toEqual(["deleting old rows failed, retrying"]);
});

test("a store that is refused is tried again as well: the process goes on without it", async () => {
  let calls = 0;
  const deleteOld = async () => {
    calls += 1;
    if (calls === 1) throw new HeadwaterError({ code: "SERVICE_UNAVAILABLE", status: 503, publicMessage: "refused" });
  };
  const housekeeping = createHousekeeping({ what: "old rows", deleteOld, clock: manualClock(0), logger });
  housekeeping.start();
  await expect.poll(() => calls, { timeout: 10_000 }).toBe(2);
  await housekeeping.stop();
});
