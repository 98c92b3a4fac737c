import { expect, test } from "vitest";
import { type FoldRun, foldOver, foldUntilLoaded } from "./foldUntilLoaded.ts";
import { emptyRows, type LoadedRows, listIdKey, orderKey, type StateRead } from "./loadedRows.ts";

const ACCOUNT = 1;

interface Reading {
  readonly loads: StateRead[][];
  readonly run: FoldRun<string>;
}

/** A fold that reads a list, and then an order that it knows of only from the list. */
function reading(fold: Partial<FoldRun<string>> = {}): Reading {
  const rows = emptyRows();
  const loads: StateRead[][] = [];
  const run: FoldRun<string> = {
    rows,
    roundsMax: 4,
    pass: (state) =>
      foldOver(state, () => {
        const of = state.of(ACCOUNT);
        const list = of.listById(7);
        if (list === undefined) throw new Error("there is no list");
        return of.order(list.name) === undefined ? `no order ${list.name}` : "an order";
      })?.result,
    load: async (reads) => {
      loads.push([...reads]);
      for (const read of reads) load(rows, read);
    },
    exhausted: () => new Error("too many passes"),
    ...fold,
  };
  return { loads, run };
}

function load(rows: LoadedRows, read: StateRead): void {
  if (read.kind === "listId")
    rows.lists.set(listIdKey(read.account, read.id), { id: 7, name: "o1", clearedVersion: undefined });
  if (read.kind === "order") rows.orders.set(orderKey(read.account, read.orderId), null);
}

test("a fold runs again until all that it reads is loaded, and what it threw before says nothing", async () => {
  const { run, loads } = reading();
  const { result, state } = await foldUntilLoaded(run);
  expect(result).toBe("no order o1");
  expect(state.unloaded).toEqual([]);
  expect(loads).toEqual([
    [{ kind: "listId", account: ACCOUNT, id: 7 }],
    [{ kind: "order", account: ACCOUNT, orderId: "o1" }],
  ]);
});

test("changes of a pass that was thrown away are not in the state of the last one", async () => {
  const { run } = reading({
    pass: (state) => {
      const of = state.of(ACCOUNT);
      of.rememberActivity("seen");
      return of.listById(7) === undefined ? undefined : "done";
    },
  });
  const { state } = await foldUntilLoaded(run);
  expect([...state.changes().activityKeys]).toEqual(["seen"]);
  expect(state.changes().contacts.size).toBe(0);
});

test("an error thrown over loaded state ends the run", async () => {
  const { run } = reading({ pass: (state) => foldOver(state, () => refuse())?.result });
  await expect(foldUntilLoaded(run)).rejects.toThrow("refused");
});

test("a fold that never has enough ends after its passes", async () => {
  const { run, loads } = reading({ load: async (reads) => void loads.push([...reads]) });
  await expect(foldUntilLoaded(run)).rejects.toThrow("too many passes");
  expect(loads).toHaveLength(4);
});

function refuse(): string {
  throw new Error("refused");
}
