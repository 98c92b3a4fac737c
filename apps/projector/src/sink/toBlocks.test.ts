import { expect, test } from "vitest";
import type { Letter } from "../quarantine/quarantine.ts";
import { PoisonRange, type SinkItem, type SinkTables } from "./sink.ts";
import { createSink, toBlocks } from "./toBlocks.ts";

type Table = "aliases" | "rows";
const tables = { aliases: { columns: ["a"], isFirst: true }, rows: { columns: ["a", "b"] } } as const;

function item(offset: number, write: (to: SinkTables<Table>) => void): SinkItem<Table> {
  return { offset, place: 0, account: 7, write, letter: () => letter(offset) };
}

function letter(offset: number): Letter {
  const key = { account: 7, recordId: `r${offset}`, requestId: "", itemIndex: 0, operation: "o" };
  return { ...key, version: "0".repeat(32), receivedAt: 0, payload: {} };
}

const toRows = (offset: number) => item(offset, (to) => to.row("rows").uint8(offset));
const broken = (offset: number) =>
  item(offset, () => {
    throw new TypeError("no row can be made of it");
  });

test("rows come by table, in the order of the tables and not of the first row", () => {
  const both = item(1, (to) => {
    to.row("rows").uint8(1);
    to.row("aliases").uint8(9);
  });
  expect(toBlocks({ tables }, [both, toRows(2)])).toMatchObject([
    { table: "aliases", rows: 1, isFirst: true, columns: ["a"], body: Buffer.from([9]) },
    { table: "rows", rows: 2, isFirst: false, columns: ["a", "b"], body: Buffer.from([1, 2]) },
  ]);
});

test("a range without rows has no block", () => {
  expect(toBlocks({ tables }, [item(1, () => undefined)])).toEqual([]);
});

test("all items of which no row can be made are named at once, with the accounts of the whole range", () => {
  let thrown: unknown;
  try {
    toBlocks({ tables }, [toRows(1), broken(2), toRows(3), broken(4)]);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(PoisonRange);
  expect(thrown).toMatchObject({ poison: [{ offset: 2 }, { offset: 4 }], accounts: [7, 7, 7, 7] });
});

test("a store that is away makes no item poison", () => {
  const away = item(1, () => {
    throw Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
  });
  expect(() => toBlocks({ tables }, [away])).toThrow("connect");
});

test("a sink makes no block of places that are stored already", async () => {
  const sink = createSink<Table>({
    group: "test",
    transform: 1,
    tables,
    isCounted: false,
    readable: async () => 0,
    read: async () => [toRows(1), toRows(2), toRows(3)],
    done: async () => undefined,
  });
  const key = { group: "test", topic: "t", generation: 1, partition: 0 };
  expect(await sink.blocks(key, [], new Set(["2:0"]))).toMatchObject([{ rows: 2, body: Buffer.from([1, 3]) }]);
});
