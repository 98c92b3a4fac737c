import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createFrozenAccount, type FrozenAccount, type Read } from "./disasters/frozenAccount.ts";
import { confirmed, metric, status } from "./disasters/operator.ts";
import { recreateChangeTopics, replaceDatabase } from "./disasters/strikes.ts";
import { startTraffic } from "./disasters/traffic.ts";
import { startWatch } from "./disasters/watch.ts";
import { dataFolder, takeSnapshot, whileStopped } from "./harness/dataFolders.ts";
import { makeAccount } from "./harness/services.ts";
import { settle } from "./harness/settle.ts";
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
const PER_SECOND = 10;
const WAIT = { timeoutMs: 60_000 };
const WENT_BACK = "STORE_WENT_BACK";
const WENT_BACK_METRIC = 'headwater_store_went_back{store="clickhouse"}';
const SCOPES = ["intake", "read", "write"];
const isAnalytical = ({ isAnalytical: is }: Read) => is;

let on: SendsGround;
let frozen: FrozenAccount;

beforeAll(async () => {
  on = await startSendsGround(NAME, {
    ...{ count: PEOPLE, perSecond: PER_SECOND, say: () => undefined },
    hasPlainActivities: false,
  });
  const { apiKey } = await makeAccount(on.ground.postgres, "frozen", SCOPES);
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
  /** Damages a store while the traffic goes on. */
  readonly strike: () => Promise<void>;
  /** Calls that have to be refused, and the code. */
  readonly refused: { readonly which: (read: Read) => boolean; readonly code: string };
  /** Checks that the loss is shown everywhere. */
  readonly expectNoticed: () => Promise<void>;
  readonly recover: () => Promise<void>;
}

async function suffer({ strike, expectNoticed, refused, recover }: Disaster): Promise<void> {
  const watch = await startWatch(frozen);
  const traffic = await startTraffic(on, frozen);
  try {
    await strike();
    await watch.untilRefused(refused.which, refused.code);
    await expectNoticed();
    await recover();
    await watch.untilRight();
  } catch (error) {
    traffic.abandon();
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

const rebuild = async () => void (await confirmed(on.ground.services, "stores", "rebuild", "clickhouse"));

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
  test("the data folder of ClickHouse is deleted", async () => {
    await suffer({
      strike: () =>
        whileStopped(on.ground, "clickhouse", () =>
          rm(join(dataFolder(NAME, "clickhouse"), "store"), { recursive: true }),
        ),
      expectNoticed: expectClickHouseRefused,
      refused: { which: isAnalytical, code: WENT_BACK },
      recover: rebuild,
    });
  });

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
        // What the relay publishes changes the plan now and then.
        const adopt = async () =>
          confirmed(on.ground.services, "topics", "adopt").then(
            () => undefined,
            (error: unknown) => String(error),
          );
        await until(adopt, WAIT);
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
      async expectNoticed() {
        const { code } = await status(on.ground.services);
        expect(code).toBe(1);
        const said = () => on.apps.lastWords().filter((line) => line.includes("headwater stores adopt postgres"));
        for (const process of ["projector-0", "sender-0", "worker-0"])
          await until(async () => (said().some((line) => line.startsWith(process)) ? undefined : process), WAIT);
      },
      recover: () => putBack(),
    });
  });
}
