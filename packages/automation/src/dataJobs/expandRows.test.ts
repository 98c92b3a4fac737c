import type { Row } from "@headwater/jobs/sources/row";
import { HeadwaterError } from "@headwater/kernel";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compileMapping } from "./compileMapping.ts";
import type { Made, Mapper } from "./createMapper.ts";
import { expandRows } from "./expandRows.ts";

const mapping = { each: "=ids", to: { id: "=@" } };
const expansion = { account: 1, mapping, header: null, made: 0 };

/** Maps in this process, within limits of its own. */
function inProcess({ recordsMax = 1_000, endsAt = -1 } = {}): Pick<Mapper, "map"> & { calls: number } {
  const mapper = {
    calls: 0,
    map: async (_: unknown, request: Parameters<Mapper["map"]>[1]) => {
      mapper.calls += 1;
      const compiled = compileMapping(request.mapping);
      if ("problems" in compiled) throw new Error("the mapping compiles");
      const bodies: Parameters<typeof compiled.records>[0][] = JSON.parse(Buffer.from(request.json).toString("utf8"));
      const made = bodies.flatMap((body, index): Made[] =>
        [...compiled.records(body)].map((record) => ({ body: index, record })),
      );
      if (made.some(({ record }) => record === `{"id":${endsAt}}`))
        return { kind: "ended", message: "too slow" } as const;
      if (made.length > recordsMax && bodies.length > 1) return { kind: "tooMany", what: "records" } as const;
      return { kind: "made", made } as const;
    },
  };
  return mapper;
}

const rowOf = (ids: readonly number[], index: number): Row => ({
  kind: "object",
  members: { ids },
  index,
  line: index + 1,
});
const broken: Row = { kind: "broken", message: "not JSON", shown: "{", index: 1, line: 2 };
const idOf = (row: Row) => {
  if (row.kind === "object") return row.members.id;
  return row.kind === "broken" ? row.message : undefined;
};
const idsOf = (rows: readonly Row[]) => rows.map(idOf);

test("each row becomes the rows of its records, with indexes that go on, and the line of the source", async () => {
  const rows = [rowOf([1, 2], 0), broken, rowOf([], 2), rowOf([3], 3)];
  const expanded = await expandRows(rows, { ...expansion, made: 7 }, inProcess());
  expect(idsOf(expanded)).toEqual([1, 2, "not JSON", 3]);
  expect(expanded.map(({ index, line }) => [index, line])).toEqual([
    [7, 1],
    [8, 1],
    [9, 2],
    [10, 4],
  ]);
});

test("rows make the same whatever is mapped with them", async () => {
  const lists = fc.array(fc.array(fc.integer({ min: 0, max: 99 }), { maxLength: 5 }), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(lists, fc.nat(20), fc.integer({ min: 1, max: 9 }), async (all, cut, recordsMax) => {
      const rows = all.map(rowOf);
      const whole = await expandRows(rows, expansion, inProcess());
      const before = await expandRows(rows.slice(0, cut), expansion, inProcess({ recordsMax }));
      const made = before.length;
      const after = await expandRows(rows.slice(cut), { ...expansion, made }, inProcess({ recordsMax }));
      expect([...before, ...after]).toEqual(whole);
    }),
  );
});

test("a row that ends its process twice fails the run with its line", async () => {
  const rows = Array.from({ length: 16 }, (_, index) => rowOf([index], index));
  const failed = await expandRows(rows, expansion, inProcess({ endsAt: 11 })).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(HeadwaterError);
  expect(failed).toMatchObject({ code: "VALIDATION_ERROR", publicMessage: "Line 12: too slow", retriable: false });
});

test("columns are members by their names, and a row that makes too much is refused alone", async () => {
  const cell = (text: string) => ({ text, isQuoted: false });
  const row: Row = { kind: "cells", cells: [cell("7"), cell("x")], index: 0, line: 2 };
  const named = { ...expansion, header: ["ids", ""] };
  expect(idsOf(await expandRows([row], named, inProcess()))).toEqual(["7"]);
  const large = rowOf(
    Array.from({ length: 10_001 }, (_, index) => index),
    0,
  );
  expect(idsOf(await expandRows([large, rowOf([1], 1)], expansion, inProcess({ recordsMax: 20_000 })))).toEqual([
    "The row makes more than 10000 records.",
    1,
  ]);
});
