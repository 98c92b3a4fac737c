import { createAccount, findAccountByNumber } from "@headwater/accounts/accounts/accounts";
import { type Account, accountSettings, noticeContext } from "@headwater/contracts";
import { createNotices } from "@headwater/jobs/notices/deliverNotices";
import { startJob } from "@headwater/jobs/queue/startJob";
import { createOutbound, createSealer, newAccountId, systemClock } from "@headwater/kernel";
import { afterAll, beforeAll, expect, test } from "vitest";
import { logger } from "../stores/fresh.ts";
import { type JobsWorld, newJob, startJobsWorld } from "./runningWorker.ts";

const HANGING = 60;
const HONEST = 20;
const sealer = createSealer([Buffer.alloc(32, 7)]);
const outbound = createOutbound({ allow: [] });
let world: JobsWorld;

beforeAll(async () => {
  world = await startJobsWorld();
});
afterAll(async () => {
  await outbound.close();
  await world.drop();
});

/** Starts jobs that mail their end to an address, and makes the mails due. */
async function notify(account: Account, address: string, jobs: number): Promise<void> {
  const { postgres, queue } = world;
  const notices = [{ kind: "email", target: sealer.seal(address, noticeContext(account.id)) }] as const;
  for (let n = 0; n < jobs; n++) {
    await postgres.transaction((transaction) => startJob(transaction, queue, { ...newJob(account), notices }));
  }
  await postgres.execute({ text: "UPDATE job_notices SET next_at = 0 WHERE next_at IS NULL" });
}

test("sixty notices whose receivers hang hold up none of another account's", async () => {
  const { postgres } = world;
  const end = Promise.withResolvers<void>();
  const mails: string[] = [];
  let hung = 0;
  const loop = createNotices({
    ...{ postgres, outbound, sealer, logger, clock: systemClock },
    account: (number) => findAccountByNumber(postgres, number),
    async sendMail({ to }) {
      if (to === "hostile@example.com") hung += 1;
      if (to === "hostile@example.com") await end.promise;
      else mails.push(to);
    },
  });
  await notify(world.account, "hostile@example.com", HANGING);
  loop.start();
  await expect.poll(() => hung).toBeGreaterThanOrEqual(16);
  const settings = accountSettings.parse({});
  const honest = await createAccount(postgres, { id: newAccountId(), name: "honest", settings });
  await notify(honest, "honest@example.com", HONEST);
  await expect.poll(() => mails.length).toBe(HONEST);
  expect(hung).toBeLessThan(HANGING);
  end.resolve();
  await expect.poll(() => postgres.query({ text: "SELECT job FROM job_notices" })).toEqual([]);
  expect(hung).toBe(HANGING);
  await loop.stop();
});
