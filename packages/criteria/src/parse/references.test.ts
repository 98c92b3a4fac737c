import { expect, test } from "vitest";
import { criteriaReferences } from "./references.ts";

const listReferences = (input: unknown) => criteriaReferences(input).lists;

test("lists are collected by name and by id, wherever they stand, each once", () => {
  const criteria = {
    and: [
      { list: "VIP", op: "in" },
      {
        not: {
          or: [
            { list: 7, op: "in" },
            { list: "VIP", op: "notIn" },
          ],
        },
      },
    ],
    exclude: { list: "gone", op: "in" },
  };
  const { names, ids } = listReferences(criteria);
  expect([names.toSorted(), ids]).toEqual([["VIP", "gone"], [7]]);
});

test("a text that spells an id is looked for as a name and as an id", () => {
  const lists = ["7", "07", "7.0", String(2 ** 31)].map((list) => ({ list, op: "in" }));
  const { names, ids } = listReferences({ or: lists });
  expect([names.toSorted(), ids]).toEqual([["07", "2147483648", "7", "7.0"], [7]]);
});

test("what cannot name a list is left out", () => {
  const lists = [null, true, {}, 0, -1, 1.5, 2 ** 31].map((list) => ({ list, op: "in" }));
  expect(listReferences({ and: lists })).toEqual({ names: [], ids: [] });
  for (const input of [undefined, null, "list", 5, []]) expect(listReferences(input)).toEqual({ names: [], ids: [] });
});

test("a criteria with more lists than nodes are allowed, or nested without end, costs no more than it may", () => {
  const lists = Array.from({ length: 10_000 }, (_, index) => ({ list: `l${index}`, op: "in" }));
  expect(listReferences({ and: lists }).names).toHaveLength(200);
  let deep: object = { list: "deep", op: "in" };
  for (let depth = 0; depth < 50_000; depth += 1) deep = { not: deep };
  expect(listReferences(deep).names).toEqual(["deep"]);
});
