import { moveCallCounts } from "@headwater/api/accountLog/callCounts";
import { recordCalls } from "@headwater/api/accountLog/recordCalls";
import { createMetrics, systemClock } from "@headwater/kernel";
import { afterAll, beforeAll, expect, test } from "vitest";
import { logger } from "../../stores/fresh.ts";
import { addAccount, type Ingress, startIngress, type TestAccount } from "./ingressFixture.ts";

let ingress: Ingress;
let calls: ReturnType<typeof recordCalls>;
beforeAll(async () => {
  ingress = await startIngress({
    onAnswer: ({ route, ...answered }) => calls.count({ ...answered, operation: route.operationId }),
  });
  const metrics = createMetrics({ processMetrics: false });
  calls = recordCalls({ session: ingress.postgres, api: "api", clock: systemClock, logger, metrics });
});
afterAll(() => ingress.stop());

async function send({ key }: TestAccount, path: string, body: unknown): Promise<number> {
  const headers = { "content-type": "application/json", "x-api-key": key };
  return (await fetch(`${ingress.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) })).status;
}

interface Entry {
  readonly category: string;
  readonly level: number;
  readonly action: string;
  readonly actor: string;
  readonly status: string | null;
  readonly details: string;
}

async function entriesOf({ account }: TestAccount): Promise<Entry[]> {
  while (await moveCallCounts(ingress.database, Number.MAX_SAFE_INTEGER));
  const text = "SELECT * FROM account_log WHERE account = $1 ORDER BY at, level";
  return ingress.database.query<Entry & Record<string, unknown>>({ text }, [account.number]);
}

const sum = (entries: readonly Entry[], member: string) =>
  entries.reduce((total, { details }) => total + JSON.parse(details)[member], 0);
const contact = (email: string) => ({ identifiers: { email }, canBeCreated: true, attributes: { note: "planted" } });

test("calls are counted by key and minute with their items, refused ones by code, and no entry says what was sent", async () => {
  const caller = await addAccount(ingress.postgres);
  const quiet = await addAccount(ingress.postgres);
  for (let call = 0; call < 3; call += 1)
    expect(await send(caller, "/api/upsertContact", contact("p@x.org"))).toBe(202);
  const batch = { items: [contact("p@x.org"), { identifiers: {} }] };
  expect(await send(caller, "/api/upsertContact/batch", batch)).toBe(202);
  expect(await send(caller, "/api/upsertContact", { identifiers: {} })).toBe(422);
  expect(await send(quiet, "/api/upsertContact", contact("q@x.org"))).toBe(202);
  await calls.stop?.();
  const entries = await entriesOf(caller);
  const accepted = entries.filter(({ action }) => action === "acceptedCalls");
  expect([sum(accepted, "calls"), sum(accepted, "accepted"), sum(accepted, "rejected")]).toEqual([4, 4, 1]);
  const refused = entries.filter(({ action }) => action === "refusedCalls");
  expect(refused).toMatchObject([{ category: "Inbound", level: 2, actor: caller.keyId, status: "422" }]);
  expect(JSON.parse(refused[0]?.details ?? "")).toEqual({
    code: "VALIDATION_ERROR",
    calls: 1,
    operations: { upsertContact: 1 },
  });
  expect(accepted.map(({ level }) => level)).toContain(2);
  expect(JSON.stringify(entries)).not.toMatch(/planted|x\.org/);
  const [other, ...more] = await entriesOf(quiet);
  expect([other, more]).toMatchObject([{ category: "Inbound", level: 0, actor: quiet.keyId }, []]);
});

test("with Postgres away calls get their 202, and are counted when it is back, each once", async () => {
  const caller = await addAccount(ingress.postgres);
  expect(await send(caller, "/api/upsertContact", contact("p@x.org"))).toBe(202);
  ingress.postgresProxy.setMode("refuse");
  expect(await send(caller, "/api/upsertContact", contact("p@x.org"))).toBe(202);
  await calls.stop?.();
  ingress.postgresProxy.setMode("forward");
  expect(await entriesOf(caller)).toEqual([]);
  await expect
    .poll(async () => {
      await calls.stop?.();
      return sum(await entriesOf(caller), "calls");
    })
    .toBe(2);
});

test("two workers make one entry of a count", async () => {
  const caller = await addAccount(ingress.postgres);
  for (let call = 0; call < 5; call += 1) await send(caller, "/api/upsertContact", contact("p@x.org"));
  await calls.stop?.();
  await Promise.all([1, 2, 3].map(() => moveCallCounts(ingress.database, Number.MAX_SAFE_INTEGER)));
  expect(sum(await entriesOf(caller), "calls")).toBe(5);
});
