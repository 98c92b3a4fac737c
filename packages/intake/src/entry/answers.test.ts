import { defaultSettings } from "@headwater/contracts";
import { runAtOnce } from "@headwater/kernel";
import { expect, test } from "vitest";
import { upsertContact } from "../operations/upsertContact/upsertContact.ts";
import { prepareAnswer, refusedRequest, sortVerdicts, verdictsAnswer } from "./answers.ts";
import { limits } from "./limits.ts";
import { judge } from "./verdicts.ts";

const account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
const identifiers = { email: "ada@example.com" };
const context = { operation: upsertContact, account, scopes: ["intake"], nowMs: 0, isLarge: true };

/** @param values of a batch. */
function validated(...values: readonly object[]) {
  const items = values.map((value) => ({ kind: "value", value }) as const);
  return sortVerdicts(
    runAtOnce(judge({ kind: "items", items, isSuspicious: false, unknownMembers: [] }, context)),
    true,
    [],
  );
}

test("a strict batch that is refused lists every item when it is asked to be verbose, and the refused ones else", () => {
  const found = validated({ identifiers }, { identifiers: {} });
  const itemsOf = (isVerbose: boolean) => refusedRequest(found, isVerbose).extra;
  const rejected = { index: 1, status: "rejected", code: "VALIDATION_ERROR" };
  const counts = { accepted: 0, rejected: 1 };
  expect(itemsOf(true)).toMatchObject({ ...counts, items: [{ index: 0, status: "accepted" }, rejected] });
  expect(itemsOf(false)).toMatchObject({ ...counts, items: [rejected] });
});

test("an item that is too large is refused with the limit, its neighbours without one", () => {
  const large = { identifiers, attributes: { text: "x".repeat(limits.itemBytes) }, canBeUpdated: true };
  const found = validated({ identifiers }, large, { identifiers: {} });
  const refused = [
    { index: 1, code: "PAYLOAD_TOO_LARGE", limit: { what: "bytes", max: limits.itemBytes } },
    { index: 2, code: "VALIDATION_ERROR" },
  ];
  expect(verdictsAnswer(found, "R", false).body).toMatchObject({ valid: 1, rejected: 2, items: refused });
  const { items } = JSON.parse(`{"receipt":""${prepareAnswer(found, false).tail}`);
  expect(items).toMatchObject(refused);
  expect(items[1]).not.toHaveProperty("limit");
});
