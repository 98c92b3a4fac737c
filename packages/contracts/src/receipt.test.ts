import { describe, expect, test } from "vitest";
import { openReceipt, sealReceipt } from "./receipt.ts";

const receipt = {
  requestId: "req1",
  accountId: "a".repeat(24),
  receivedAt: 1_767_997_632_000,
  parts: [{ lane: 1, partition: 3, firstOffset: 10, firstPlace: 2, lastOffset: 12, lastPlace: 0, count: 5 }],
};

describe("receipts", () => {
  test("a receipt opens as what was sealed", () => {
    expect(openReceipt(sealReceipt(receipt, "secret"), "secret")).toEqual(receipt);
  });

  test("a receipt says when the log had it, as far as that is known", () => {
    const parts = receipt.parts.map((part) => ({ ...part, appendedAt: 1_767_997_632_005 }));
    const dated = { ...receipt, ackedAt: 1_767_997_632_010, parts };
    expect(openReceipt(sealReceipt(dated, "secret"), "secret")).toEqual(dated);
  });

  test("a receipt of another secret, a changed one and nonsense do not open", () => {
    const token = sealReceipt(receipt, "secret");
    const changed = `A${token.slice(1)}`;
    for (const bad of [
      sealReceipt(receipt, "other"),
      changed,
      token.slice(0, -1),
      "",
      ".",
      "a.b",
      token.replace(".", ""),
    ]) {
      expect(openReceipt(bad, "secret")).toBeUndefined();
    }
  });
});
