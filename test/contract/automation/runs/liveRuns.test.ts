import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { readGuide } from "../../service/guide.ts";
import { type LiveWorld, startLiveWorld } from "./liveWorld.ts";

const START_MS = 120_000;
const ARRIVES = { timeout: 60_000, interval: 200 } as const;
let world: LiveWorld;
beforeAll(async () => {
  world = await startLiveWorld("liveRuns");
}, START_MS);
afterAll(() => world?.close(), START_MS);

interface Step {
  readonly node: string;
  readonly edge: string | null;
}

async function path(orchestration: string): Promise<string[]> {
  const rows = await world.postgres.query<Step>(
    {
      text: "SELECT node, edge FROM orchestration_steps WHERE account = $1 AND orchestration = $2 ORDER BY run, visit",
    },
    [world.account.number, orchestration],
  );
  return rows.map(({ node, edge }) => (edge === null ? node : `${node} ${edge}`));
}

test("a contact goes through a message and a wait to a second message, with both doors and all processes", async () => {
  await world.createTemplate("reminder");
  await world.createTemplate("thanks");
  const orchestration = await world.enable({
    trigger: { event: { action: "cart-left" } },
    goals: [{ name: "bought", event: "purchase" }],
    actions: [
      { id: "remind", type: "message", config: { templateKey: "reminder" }, next: [{ id: "wait" }] },
      {
        id: "wait",
        type: "wait",
        config: { any: [{ event: "purchase", match: ["cartID"] }], timeout: { n: 1, unit: "day" } },
        next: [{ id: "thank", label: "0" }],
      },
      { id: "thank", type: "message", config: { templateKey: "thanks" } },
    ],
  });
  await world.happen("ann@example.org", "cart-left", { cartID: "k1", sku: "A-1" });
  await expect.poll(() => path(orchestration), ARRIVES).toEqual(["remind"]);
  await world.happen("ann@example.org", "purchase", { cartID: "other" });
  await world.happen("ann@example.org", "purchase", { cartID: "k1" });
  await expect.poll(() => path(orchestration), ARRIVES).toEqual(["remind", "wait 0", "thank"]);
  expect((await world.mailServer.taken()).map(({ recipients }) => recipients)).toEqual([
    ["ann@example.org"],
    ["ann@example.org"],
  ]);
  const runs = await world.postgres.query({ text: "SELECT state FROM orchestration_runs WHERE account = $1" }, [
    world.account.number,
  ]);
  expect(runs).toEqual([{ state: "completed" }]);
});

test("every activity that was accepted after the answer that enabled an orchestration starts a run", async () => {
  const actions = [{ id: "end", type: "exit", config: {} }];
  const orchestrations: string[] = [];
  for (let round = 0; round < 5; round++) {
    const action = `start-${round}`;
    const background = Array.from({ length: 20 }, (_, index) => world.happen(`b${index}@example.org`, action));
    const id = await world.enable({ trigger: { event: { action } }, actions });
    orchestrations.push(id);
    await Promise.all(Array.from({ length: 20 }, (_, index) => world.happen(`a${index}@example.org`, action)));
    await Promise.all(background);
  }
  const entered = async () => {
    const rows = await world.postgres.query<{ runs: number }>(
      {
        text: `SELECT count(*) AS runs FROM orchestration_runs r JOIN contact_identifiers i ON (i.account, i.contact) = (r.account, r.contact)
          WHERE r.account = $1 AND i.value LIKE 'a%@example.org' AND r.orchestration <> $2 GROUP BY r.orchestration`,
      },
      [world.account.number, ""],
    );
    return rows.filter(({ runs }) => runs === 20).length;
  };
  await expect.poll(entered, ARRIVES).toBe(5);
});

test(
  "every step of the guide about an abandoned cart is answered as it says",
  async () => {
    const guide = readGuide("orchestrations");
    const taken = (await world.mailServer.taken()).length;
    for (const step of guide.steps) {
      const { method, path, input } = guide.callOf(step);
      const answerIt = async () => {
        const { status, body } = await world.call(method, path, input);
        expect([path, status < 300 ? "ok" : body]).toEqual([path, "ok"]);
        guide.compare(step, body);
      };
      // What was written shows in reads a little later.
      await (method === "GET" ? vi.waitFor(answerIt, ARRIVES) : answerIt());
    }
    expect(guide.steps).toHaveLength(10);
    const mails = (await world.mailServer.taken()).slice(taken);
    expect(mails.map(({ recipients }) => recipients)).toEqual([["ann@example.org"], ["ann@example.org"]]);
  },
  START_MS,
);

test("contacts of an audience enter, and a filter sends each of them by what it fits", async () => {
  for (const [email, city, plan] of [
    ["rome@example.org", "Rome", "gold"],
    ["oslo@example.org", "Oslo", "gold"],
    ["none@example.org", "Rome", "free"],
  ] as const) {
    await world.upsert(email, { city, plan });
  }
  const criteria = { field: "attributes.plan", op: "eq", value: "gold" };
  const counted = async () => (await world.call("POST", "/v2/audiencecount", criteria)).body;
  await expect.poll(counted, ARRIVES).toMatchObject({ count: 2 });
  await world.call("POST", "/v2/audiences", { key: "gold", name: "Gold", criteria });
  const orchestration = await world.enable({
    trigger: { audience: "gold", existing: true },
    actions: [
      {
        id: "where",
        type: "filter",
        config: { criteria: { field: "attributes.city", op: "eq", value: "Rome" } },
        next: [
          { id: "rome", label: "yes" },
          { id: "elsewhere", label: "no" },
        ],
      },
      { id: "rome", type: "goal", config: { name: "rome" } },
      { id: "elsewhere", type: "goal", config: { name: "elsewhere" } },
    ],
  });
  const paths = async () => (await path(orchestration)).toSorted();
  await expect.poll(paths, ARRIVES).toEqual(["elsewhere", "rome", "where no", "where yes"]);
});
