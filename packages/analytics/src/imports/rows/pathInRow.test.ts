import type { Row } from "@headwater/jobs/sources/row";
import { expect, test } from "vitest";
import { pathInRow } from "./pathInRow.ts";

const line = (members: Record<string, unknown>): Row => ({ kind: "object", index: 0, line: 1, members });
const cells: Row = { kind: "cells", index: 0, line: 2, cells: [] };

test.each<[string, Record<string, unknown>, string | null]>([
  ["/order/purchaseDate", { orderID: "o", purchaseDate: "x" }, "/purchaseDate"],
  ["/order/items/0/name", { name: "n", items: [{}] }, "/items/0/name"],
  ["/order/orderID", { email: "a" }, "/orderID"],
  ["/contact/identifiers", { orderID: "o", email: "a" }, null],
  ["/contact/identifiers/email", { email: "" }, "/email"],
  ["/records/0/year", { id: "1", year: "x" }, "/year"],
  ["/contact/attributes/score", { score: "x" }, "/score"],
  ["/contact/attributes/score", { "attributes.score": "x" }, "/attributes.score"],
  ["/contact/attributes/score", { attributes: { score: "x" } }, "/attributes/score"],
  [
    "/contact/attributes/channels/email/subscribeStatus",
    { channels: { email: { subscribeStatus: "x" } } },
    "/channels/email/subscribeStatus",
  ],
  ["/productName", { productID: "p" }, "/productName"],
])("%s of a line %j is %s", (path, members, position) => {
  expect(pathInRow(path, line(members), null)).toBe(position);
});

test.each<[string, readonly string[], string]>([
  ["/contact/attributes/score", ["email", "attributes.score"], "/attributes.score"],
  [
    "/contact/attributes/channels/email/subscribeStatus",
    ["channels.email.subscribeStatus"],
    "/channels.email.subscribeStatus",
  ],
  ["/records/0/year", ["id", "year"], "/year"],
  ["/records/0/id", ["year"], "/id"],
  ["/contact/attributes/a~1b", ["email", "a/b"], "/a~1b"],
])("%s of a row under %j is the column %s", (path, header, place) => {
  expect(pathInRow(path, cells, header)).toBe(place);
});
