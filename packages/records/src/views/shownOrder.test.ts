import { defaultSettings, versionOf } from "@headwater/contracts";
import { expect, test } from "vitest";
import { orderViewer } from "./shownOrder.ts";
import { plainNumber } from "./writtenDigits.ts";

const version = versionOf(1_000, { lane: 1, partition: 0, offset: 1, place: 0 });
const view = orderViewer(defaultSettings, plainNumber);

function visibleWith(amount: string | number) {
  const members = [
    ["discountApplication", { type: "fixed", amount }, version],
    ["tax", amount, version],
  ];
  return view({ orderId: "A-1", purchasedAt: 0, cid: "b".repeat(24), doc: JSON.stringify({ members }) });
}

test.each([
  ["1.23456", 1.2346],
  ["1e2", 100],
  ["+5", 5],
  [".5", 0.5],
  [" 2.50 ", 2.5],
  [3, 3],
])("a discount of %j is shown as every other decimal is", (input, amount) => {
  expect(visibleWith(input)).toMatchObject({
    discountApplication: { type: "fixed", amount },
    totalDiscountAmount: amount,
    tax: amount,
  });
});
