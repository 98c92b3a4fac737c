import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addressEnvironment, rootFolder, scriptOf } from "../../../infra/src/index.ts";
import { takeSnapshot } from "../harness/dataFolders.ts";
import { until } from "../harness/until.ts";
import { AUDIENCE } from "../sends/people.ts";
import { CONTENT } from "../sends/rounds.ts";
import type { SendsGround } from "../sends/sendsGround.ts";
import { startSendsGround } from "../sends/world.ts";

/*
 * Postgres is put back to a copy from before the mails of a message went out, and nothing but a sender has done anything since: no
 * change event, no commit and no row of ClickHouse shows it.
 */

const NAME = "sends-back";
const PEOPLE = 40;
const WAIT = { timeoutMs: 90_000 };
let on: SendsGround;

beforeAll(async () => {
  on = await startSendsGround(NAME, { count: PEOPLE, perSecond: undefined, say: () => undefined });
});
afterAll(() => on?.stop());

async function headwater(...args: string[]): Promise<{ out: string; said: string }> {
  const env = { ...process.env, ...addressEnvironment(on.ground.services) };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [scriptOf("cli"), ...args], {
    env,
    cwd: rootFolder,
  });
  return { out: stdout, said: stderr };
}

async function createMessage(): Promise<string> {
  const created = await on.call("POST", "/v2/batchmessages", {
    ...{ channel: "email", classification: "transactional", audience: AUDIENCE },
    message: {
      headers: { subject: "Hi", fromEmail: "news@example.com", fromDesc: "Shop", replyEmail: "help@example.com" },
      content: { "text/html": CONTENT },
    },
  });
  return String(created.id);
}

async function countStates(id: string): Promise<Record<string, number>> {
  const text = "SELECT state, count(*) AS sends FROM sends WHERE message = $1 GROUP BY state";
  const rows = await on.ground.postgres.query<{ state: string; sends: number }>({ text }, [id]);
  return Object.fromEntries(rows.map(({ state, sends }) => [state, sends]));
}

/** Returns which of the senders have ended with a word of the loss. */
function refusing(): string[] {
  const words = on.apps.lastWords().filter((line) => line.includes("headwater stores recover"));
  return on.senders().flatMap(({ name }) => (words.some((line) => line.startsWith(name)) ? [name] : []));
}

test("no mail goes out twice after a failover to a Postgres that lost what was handed over", {
  timeout: 600_000,
}, async () => {
  const { apps, ground, smtp } = on;
  const senders = on.senders();
  await Promise.all(senders.map((sender) => sender.stop()));
  const id = await createMessage();
  await on.call("PUT", `/v2/batchmessages/${id}/send`);
  await until(async () => ((await countStates(id)).pending === PEOPLE ? undefined : "not all are wanted yet"), WAIT);
  // Nothing else may tell of what is lost.
  await Promise.all([apps.projector(0), apps.worker(), apps.worker(1)].map((app) => app.stop()));
  const snapshot = await takeSnapshot(ground, NAME);
  await Promise.all(senders.map((sender) => sender.start()));
  await until(async () => ((await countStates(id)).sent === PEOPLE ? undefined : "not all are sent yet"), WAIT);
  const reached = (await smtp.taken()).flatMap(({ recipients }) => recipients);
  expect(reached.toSorted()).toEqual([...new Set(reached)].toSorted());
  expect(reached).toHaveLength(PEOPLE);

  await snapshot.putBack();
  await until(async () => (refusing().length === senders.length ? undefined : `only ${refusing()} refuse`), WAIT);
  expect(await countStates(id)).toEqual({ pending: PEOPLE });

  const preview = await headwater("stores", "recover", "-o", "json");
  const rows: { what: string; count: number }[] = JSON.parse(preview.out);
  expect(rows.find(({ what }) => what === "sends that may have been handed over")?.count).toBe(PEOPLE);
  const digest = /--confirm (\w+)/.exec(preview.said)?.[1] ?? "";
  await headwater("stores", "recover", "--yes", "--confirm", digest, "--reason", "a test");
  await Promise.all([...senders, apps.projector(0), apps.worker()].map((app) => app.start()));
  const ended = async () => {
    const { status } = await on.call("GET", `/v2/batchmessages/${id}`);
    return status === "sent" ? undefined : `the message is ${status}`;
  };
  await until(ended, WAIT);
  expect(await countStates(id)).toEqual({ unknown: PEOPLE });
  expect((await smtp.taken()).flatMap(({ recipients }) => recipients)).toEqual(reached);
});
