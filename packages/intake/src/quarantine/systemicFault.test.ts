import { expect, test } from "vitest";
import { isSystemicFault } from "./systemicFault.ts";

/** `records` of the batch spread evenly over so many accounts; the first `poison` of the poisoned accounts' records fail. */
function count({ records, accounts, poison, of }: Record<"records" | "accounts" | "poison" | "of", number>) {
  const accountOf = (index: number, among: number) => index % among;
  return {
    accounts: Array.from({ length: records }, (_, index) => accountOf(index, accounts)),
    poison: Array.from({ length: poison }, (_, index) => accountOf(index, of)),
  };
}

test.each([
  ["three poison records in a small batch", { records: 3, accounts: 1, poison: 3, of: 1 }, false],
  ["a few of many accounts", { records: 10, accounts: 10, poison: 10, of: 10 }, false],
  ["one percent of a batch of many accounts", { records: 2_000, accounts: 50, poison: 20, of: 20 }, false],
  ["a flood of one hostile account alone in its batch", { records: 2_000, accounts: 1, poison: 2_000, of: 1 }, false],
  ["a flood of one hostile account among others", { records: 2_000, accounts: 50, poison: 1_900, of: 1 }, false],
  ["two accounts that conspire", { records: 2_000, accounts: 50, poison: 1_900, of: 2 }, false],
  ["three of very many accounts that conspire", { records: 2_000, accounts: 50, poison: 1_900, of: 3 }, false],
  ["everything of three accounts", { records: 30, accounts: 3, poison: 30, of: 3 }, true],
  ["some records of nearly all accounts", { records: 2_000, accounts: 50, poison: 100, of: 40 }, true],
  ["everything", { records: 2_000, accounts: 50, poison: 2_000, of: 50 }, true],
])("%s: a fault of the system? %o: %s", (_what, input, isSystemic) => {
  expect(isSystemicFault(count(input))).toBe(isSystemic);
});
