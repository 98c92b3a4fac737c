import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createFrozenAccount, type FrozenAccount, type Read } from "./disasters/frozenAccount.ts";
import { confirmed, decided, headwater, killedAt, metric, previewed, status } from "./disasters/operator.ts";
import { recreateChangeTopics, recreateIntakeTopics, replaceDatabase } from "./disasters/strikes.ts";
import { startTraffic, type Traffic, type TrafficOptions } from "./disasters/traffic.ts";
import { startWatch, type Watch } from "./disasters/watch.ts";
import { dataFolder, type Snapshot, takeSnapshot, whileStopped } from "./harness/dataFolders.ts";
import { addAccount } from "./harness/services.ts";
import { settle } from "./harness/settle.ts";
import { takeStandby } from "./harness/standby.ts";
import { until } from "./harness/until.ts";
import type { SendsGround } from "./sends/sendsGround.ts";
import { startSendsGround } from "./sends/world.ts";

/*
 * Stores are emptied, put back and replaced while records, an import, exports and a message go on. Until the documented command has run,
 * every call is answered as before or refused; afterwards as before.
 */

const NAME = "disasters";
/** The short form has one disaster; `contract/stores` refuses the other stores without traffic. */
const isLong = process.env.HEADWATER_FAULTS === "long";
const PEOPLE = 40;
/** Slow enough in the long form that a message is still going out when a copy is put back. */
const PER_SECOND = isLong ? 1 : 10;
/** Rows of an import that is still under way then. */
const MANY_ORDERS = 150_000;
const MORE_CONTACTS = 20;
const WAIT = { timeoutMs: 60_000 };
const WENT_BACK = "STORE_WENT_BACK";
const WENT_BACK_METRIC = 'headwater_store_went_back{store="clickhouse"}';
const SCOPES = ["intake", "read", "write", "admin"];
const isAnalytical = ({ isAnalytical: is }: Read) => is;

let on: SendsGround;
let frozen: FrozenAccount;
/** Last words of processes before the disaster. */
let saidBefore: ReadonlySet<string> = new Set();

beforeAll(async () => {
  on = await startSendsGround(NAME, {
    ...{ count: PEOPLE, perSecond: PER_SECOND, say: () => undefined },
    hasPlainActivities: false,
  });
  const { apiKey } = await addAccount(on.ground.postgres, "frozen", SCOPES);
  frozen = createFrozenAccount(on.apps, apiKey);
  await frozen.write();
  await settle(on.ground);
});
afterAll(() => on?.stop());

/** Each process that reads ClickHouse says what was lost, and so does the operator's command. */
async function expectClickHouseRefused(): Promise<void> {
  for (const process of ["service-0", "worker-0", "projector-0"])
    await until(async () => ((await metric(on.apps, process, WENT_BACK_METRIC)) === 1 ? undefined : process), WAIT);
  const { code, ill } = await status(on.ground.services);
  expect(code).toBe(1);
  expect(ill.get("clickhouse data")).toContain("headwater stores rebuild clickhouse");
}

interface Disaster {
  readonly traffic?: TrafficOptions;
  /** Takes a copy, say, while the traffic goes on: what is right is learnt afterwards. */
  readonly prepare?: (traffic: Traffic) => Promise<void>;
  /** Damages a store while the traffic goes on. */
  readonly strike: (traffic: Traffic) => Promise<void>;
  /** Calls that have to be refused, and the code. */
  readonly refused: { readonly which: (read: Read) => boolean; readonly code: string };
  /** Checks that the loss is shown everywhere. */
  readonly expectNoticed: () => Promise<void>;
  readonly recover: () => Promise<void>;
  /** The state is older after the recovery, and reads the log again: receipts say so until it has. */
  readonly readsAgain?: true;
}

async function suffer({ prepare, strike, expectNoticed, refused, recover, ...options }: Disaster): Promise<void> {
  const traffic = await startTraffic(on, frozen, options.traffic);
  let watch: Watch | undefined;
  try {
    await prepare?.(traffic);
    watch = await startWatch(frozen);
    saidBefore = new Set(on.apps.lastWords());
    await strike(traffic);
    await watch.untilRefused(refused.which, refused.code);
    await expectNoticed();
    if (options.readsAgain === true) watch.rest();
    await recover();
    await watch.untilRight();
  } catch (error) {
    signalWorkers("SIGCONT");
    traffic.abandon();
    await watch?.stop();
    throw error;
  }
  const differences = await traffic.end();
  expect([...(await watch.stop()), ...differences]).toEqual([]);
  await settle(on.ground);
  const isWell = async () => {
    const { code, ill } = await status(on.ground.services);
    return code === 0 ? undefined : JSON.stringify([...ill]);
  };
  await until(isWell, WAIT);
}

/** Each process that claims, hands over or runs jobs ends with the command, and so does the operator's status. */
async function expectPostgresRefused(command: string): Promise<void> {
  const { code } = await status(on.ground.services);
  expect(code).toBe(1);
  const said = () => on.apps.lastWords().filter((line) => line.includes(command) && !saidBefore.has(line));
  for (const process of ["projector-0", "sender-0", "worker-0"])
    await until(async () => (said().some((line) => line.startsWith(process)) ? undefined : process), WAIT);
}

const workers = () => [on.apps.worker(), on.apps.worker(1), ...on.senders()];

function signalWorkers(signal: NodeJS.Signals): void {
  for (const one of workers()) one.kill(signal);
}

/** They had ended again and again: the pauses before their next start have grown. */
async function startAgain(): Promise<void> {
  await Promise.all([on.apps.projector(0), on.apps.automation(), ...workers()].map((one) => one.start()));
}

/** Copies Postgres while everything is under way, and puts the copy in its place after more was written by everybody. */
async function loseTail(takeCopy: () => Promise<Snapshot>): Promise<void> {
  let copy: Snapshot | undefined;
  await suffer({
    traffic: { orders: MANY_ORDERS, mayLose: "jobs" },
    async prepare(traffic) {
      await traffic.untilUnderWay();
      copy = await takeCopy();
      await traffic.untilAccepted(MORE_CONTACTS);
      // Nothing comes to its end before the disaster.
      signalWorkers("SIGSTOP");
      await frozen.write();
      await frozen.untilShown();
    },
    async strike(traffic) {
      signalWorkers("SIGCONT");
      await traffic.expectUnderWay();
      await copy?.putBack();
    },
    refused: { which: () => true, code: "SERVICE_UNAVAILABLE" },
    expectNoticed: () => expectPostgresRefused("headwater stores recover"),
    readsAgain: true,
    async recover() {
      await confirmed(on.ground.services, "stores", "recover");
      await startAgain();
    },
  });
}

/** The command is killed at each of its steps, and run again. It may be done before it comes to the last one. */
async function rebuildThroughKills(): Promise<void> {
  const { services } = on.ground;
  const command = ["stores", "rebuild", "clickhouse"] as const;
  const { digest } = await previewed(services, ...command);
  const run = [...command, ...decided(digest)] as const;
  for (const step of [/waiting for ranges/, /preparing the tables/]) {
    expect([step, await killedAt(services, step, ...run)]).toEqual([step, true]);
    await expectClickHouseRefused();
  }
  if (await killedAt(services, /frames of the log are left/, ...run))
    expect(await headwater(services, ...run)).toMatchObject({ code: 0 });
}

const rebuild = async () => void (await confirmed(on.ground.services, "stores", "rebuild", "clickhouse"));

/** Adopts all topics; whatever the processes publish until then changes the plan now and then. */
async function adoptTopics(): Promise<void> {
  const adopt = async () =>
    confirmed(on.ground.services, "topics", "adopt").then(
      () => undefined,
      (error: unknown) => String(error),
    );
  await until(adopt, WAIT);
}

test("ClickHouse is put back to an older copy of its data folder", async () => {
  const snapshot = await takeSnapshot(on.ground, NAME, "clickhouse");
  await frozen.write();
  await settle(on.ground);
  await suffer({
    strike: () => snapshot.putBack(),
    expectNoticed: expectClickHouseRefused,
    refused: { which: isAnalytical, code: WENT_BACK },
    recover: rebuild,
  });
});

if (isLong) {
  test("the data folder of ClickHouse is deleted, and the rebuild is killed at each of its steps", async () => {
    await suffer({
      strike: () =>
        whileStopped(on.ground, "clickhouse", () =>
          rm(join(dataFolder(NAME, "clickhouse"), "store"), { recursive: true }),
        ),
      expectNoticed: expectClickHouseRefused,
      refused: { which: isAnalytical, code: WENT_BACK },
      recover: rebuildThroughKills,
    });
  });

  test("Postgres is put back to a copy that was taken under an import, exports and a message", () =>
    loseTail(() => takeSnapshot(on.ground, NAME)));

  test("a standby that lacks the last transactions is promoted under an import, exports and a message", () =>
    loseTail(() => takeStandby(on.ground, NAME)));

  test("the topics of intake are deleted under an import and new contacts, and adopted", () =>
    suffer({
      traffic: { orders: MANY_ORDERS, mayLose: "records" },
      async strike(traffic) {
        await traffic.untilUnderWay();
        await on.apps.projector(0).stop();
        await traffic.untilAccepted(MORE_CONTACTS);
        await recreateIntakeTopics(on.ground);
        await on.apps.projector(0).start();
      },
      // What was applied stays as it was, and is answered.
      refused: { which: () => false, code: "SERVICE_UNAVAILABLE" },
      async expectNoticed() {
        const isHeld = async () => {
          const { code, ill } = await status(on.ground.services);
          const parts = [...ill].filter(([part, detail]) => part.startsWith("state") && detail.startsWith("held"));
          return code === 1 && parts.length > 0 ? undefined : JSON.stringify([...ill]);
        };
        await until(isHeld, WAIT);
      },
      recover: adoptTopics,
    }));

  test("the topics of change events and intents are deleted while history lags, and adopted", async () => {
    const before = new Date().toISOString();
    await suffer({
      async strike() {
        await recreateChangeTopics(on.ground);
        const isHeld = async () => {
          const { code, ill } = await status(on.ground.services);
          const parts = [...ill].filter(([part, detail]) => part.startsWith("history") && detail.startsWith("held"));
          return code === 1 && parts.length > 0 ? undefined : JSON.stringify([...ill]);
        };
        await until(isHeld, WAIT);
        await adoptTopics();
      },
      expectNoticed: expectClickHouseRefused,
      refused: { which: isAnalytical, code: WENT_BACK },
      recover: rebuild,
    });
    const body = { field: "attributes.plan", op: "eq", value: "frozen", asOf: before };
    const past = await frozen.ask({ method: "POST", path: "/v2/audiencecount", body, isAnalytical: true });
    expect(past).toMatchObject({ status: 422, body: { details: [{ path: "/asOf", code: "out_of_range" }] } });
  });

  test("Postgres is replaced by an empty database of the same cluster", async () => {
    let putBack: () => Promise<void> = () => Promise.resolve();
    await suffer({
      async strike() {
        putBack = await replaceDatabase(on.ground);
      },
      refused: { which: () => true, code: "SERVICE_UNAVAILABLE" },
      expectNoticed: () => expectPostgresRefused("headwater stores adopt postgres"),
      recover: () => putBack(),
    });
  });
}
