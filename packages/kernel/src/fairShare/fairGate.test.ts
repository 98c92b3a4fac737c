import fc from "fast-check";
import { expect, test } from "vitest";
import { createFairGate, type FairGateOptions } from "./fairGate.ts";

const options = { what: "calls", slots: 4, slotsPerFlow: 3, waitingPerFlow: 100 } satisfies FairGateOptions;

/** Tasks that run until the test ends them. */
function world(input: Partial<FairGateOptions> = {}) {
  const gate = createFairGate({ ...options, ...input });
  const running: { readonly flow: string; readonly depth: number; readonly end: () => void }[] = [];
  const refused: string[] = [];
  const ask = (flow: string, signal?: AbortSignal) =>
    gate
      .run(
        flow,
        (depth) =>
          new Promise<void>((resolve) => {
            const task = { flow, depth, end: resolve };
            running.push(task);
          }),
        { signal },
      )
      .catch(
        (error: { code?: string; message: string }) => void refused.push(`${flow} ${error.code ?? error.message}`),
      );
  const endOne = async (flow?: string) => {
    const index = running.findIndex((task) => flow === undefined || task.flow === flow);
    for (const { end } of running.splice(index, 1)) end();
    await complete();
  };
  const names = () =>
    running
      .map(({ flow }) => flow)
      .toSorted()
      .join("");
  return { gate, running, refused, ask, endOne, names };
}

const complete = () => new Promise((resolve) => setImmediate(resolve));

test("idle slots are lent, up to a flow's bound; the rest is free for whoever comes", async () => {
  const { ask, running, names } = world();
  for (let n = 0; n < 10; n++) void ask("h");
  await complete();
  expect(names()).toBe("hhh");
  expect(running.map(({ depth }) => depth)).toEqual([0, 1, 2]);
  void ask("a");
  await complete();
  expect(names()).toBe("ahhh");
});

test("a slot that becomes free goes to who has less than its share, not to who asked first", async () => {
  const { ask, endOne, names } = world();
  for (let n = 0; n < 50; n++) void ask("h");
  for (const flow of ["a", "b", "c"]) void ask(flow);
  await complete();
  expect(names()).toBe("ahhh");
  await endOne("h");
  await endOne("h");
  expect(names()).toBe("abch");
  await endOne("a");
  expect(names()).toBe("bchh");
});

test("an account with too many waiting is refused with its own 429, others are let in", async () => {
  const { ask, refused, endOne, names } = world({ waitingPerFlow: 2 });
  for (let n = 0; n < 7; n++) void ask("h");
  await complete();
  expect(refused).toEqual(["h RATE_LIMITED", "h RATE_LIMITED"]);
  for (const flow of ["a", "b"]) void ask(flow);
  await complete();
  expect(refused).toHaveLength(2);
  await endOne("h");
  expect(names()).toBe("abhh");
});

test("the flow with most places loses its newest when all are taken, never the newcomer", async () => {
  const { ask, refused, gate } = world({ slots: 1, slotsPerFlow: 1, waitingPerFlow: 10, waitingMax: 4 });
  for (let n = 0; n < 5; n++) void ask("h");
  for (const flow of ["a", "b", "c"]) void ask(flow);
  await complete();
  expect(refused).toEqual(["h RATE_LIMITED", "h RATE_LIMITED", "h RATE_LIMITED"]);
  void ask("d");
  await complete();
  expect(refused[3]).toBe("d SERVICE_UNAVAILABLE");
  expect(gate.stats()).toEqual({ running: 1, waiting: 4, flows: 4, refused: 4 });
});

test("who has gone away leaves the queue; who waited too long is refused", async () => {
  const { ask, refused, gate } = world({ slots: 1, slotsPerFlow: 1, waitMsMax: 20 });
  const gone = new AbortController();
  void ask("a");
  void ask("b", gone.signal);
  const late = [ask("a"), ask("c")];
  gone.abort(new Error("gone"));
  await Promise.all(late);
  // "a" has a slot already; "c" had nothing.
  expect(refused).toEqual(["b gone", "a RATE_LIMITED", "c SERVICE_UNAVAILABLE"]);
  expect(gate.stats()).toMatchObject({ running: 1, waiting: 0 });
});

test("a task that throws gives its slot back", async () => {
  const gate = createFairGate({ ...options, slots: 1, slotsPerFlow: 1 });
  const failing = gate.run("a", () => Promise.reject(new Error("broken")));
  const next = gate.run("a", async (depth) => depth);
  await expect(failing).rejects.toThrow("broken");
  await expect(next).resolves.toBe(0);
});

test("law: slots and bounds are kept, no slot is idle while one within its bound waits, and all that waits is served", async () => {
  const flow = fc.constantFrom("a", "b", "c", "d", "e");
  const step = fc.oneof(fc.record({ ask: flow }), fc.record({ end: flow }));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const { ask, endOne, running, gate, refused } = world();
      let asked = 0;
      for (const each of steps) {
        if ("ask" in each) {
          asked += 1;
          void ask(each.ask);
          await complete();
        } else if (running.some((task) => task.flow === each.end)) {
          await endOne(each.end);
        }
        const byFlow = Map.groupBy(running, (task) => task.flow);
        for (const tasks of byFlow.values()) expect(tasks.length).toBeLessThanOrEqual(options.slotsPerFlow);
        expect(running.length).toBeLessThanOrEqual(options.slots);
        const isIdle = running.length < options.slots && gate.stats().waiting > 0;
        if (isIdle) expect(byFlow.size).toBe(1);
      }
      let served = 0;
      for (; running.length > 0; served++) await endOne();
      expect(gate.stats()).toMatchObject({ running: 0, waiting: 0, flows: 0 });
      expect([refused.length, served <= asked]).toEqual([0, true]);
    }),
    { numRuns: 50 },
  );
});

test("law: a newcomer is served before any flow is served twice more than its turn, however full the queue is", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 80 }), fc.integer({ min: 1, max: 6 }), async (hostile, honest) => {
      const { ask, endOne, running } = world({ slots: 2, slotsPerFlow: 2 });
      for (let n = 0; n < hostile; n++) void ask("h");
      for (let n = 0; n < honest; n++) void ask(`honest${n}`);
      await complete();
      const seen = new Set(running.map(({ flow }) => flow));
      for (let ended = 0; ended <= honest + 2; ended++) {
        await endOne();
        for (const task of running) seen.add(task.flow);
      }
      expect(seen.size).toBe(honest + 1);
    }),
    { numRuns: 30 },
  );
});

test("a flow of large tasks gets no more than one of small ones where tasks cost what they weigh", async () => {
  const gate = createFairGate({ what: "bodies", slots: 1, slotsPerFlow: 1, waitingPerFlow: 100, quantum: 100 });
  const order: string[] = [];
  const run = (flow: string, cost: number) => gate.run(flow, async () => void order.push(flow), { cost });
  const tasks = Array.from({ length: 10 }, () => run("large", 1_000));
  tasks.push(...Array.from({ length: 10 }, () => run("small", 100)));
  await Promise.all(tasks);
  expect(order.slice(0, 11).filter((flow) => flow === "small").length).toBeGreaterThanOrEqual(9);
});
