import { batchItemsMax, type Items, type OperationName } from "@headwater/client";
import { operations } from "@headwater/intake/operations/registry";
import { expect, expectTypeOf, test } from "vitest";
import type { z } from "zod";

/** Freezes a type: the client changes nothing it sends. */
type Frozen<Value> = Value extends object ? { readonly [Name in keyof Value]: Frozen<Value[Name]> } : Value;
type Accepted<Operation extends { readonly body: z.ZodType }> = Frozen<z.output<Operation["body"]>>;
/** Members of intersections as those of one object. */
type Sent<Name extends OperationName> = Frozen<Items[Name]>;

const [
  upsertContact,
  createContactactivities,
  addContactsToList,
  removeContactsFromList,
  addProductsToCart,
  removeProductsFromCart,
  upsertSupplementsRecords,
  upsertOrder,
  ...others
] = operations;

test("the client knows every operation, and how many items its batch takes", () => {
  expect(batchItemsMax).toEqual(Object.fromEntries(operations.map((one) => [one.name, one.batchItemsMax])));
});

test("the client's items have the types that validation checks, members that may be absent included", () => {
  expectTypeOf<Sent<"upsertContact">>().toEqualTypeOf<Accepted<typeof upsertContact>>();
  expectTypeOf<Sent<"createContactactivities">>().toEqualTypeOf<Accepted<typeof createContactactivities>>();
  expectTypeOf<Sent<"addContactsToList">>().toEqualTypeOf<Accepted<typeof addContactsToList>>();
  expectTypeOf<Sent<"removeContactsFromList">>().toEqualTypeOf<Accepted<typeof removeContactsFromList>>();
  expectTypeOf<Sent<"addProductsToCart">>().toEqualTypeOf<Accepted<typeof addProductsToCart>>();
  expectTypeOf<Sent<"removeProductsFromCart">>().toEqualTypeOf<Accepted<typeof removeProductsFromCart>>();
  expectTypeOf<Sent<"upsertSupplementsRecords">>().toEqualTypeOf<Accepted<typeof upsertSupplementsRecords>>();
  expectTypeOf<Sent<"upsertOrder">>().toEqualTypeOf<Accepted<typeof upsertOrder>>();
  // Types are compared by the compiler, which `npm run verify` asks; this sees that none was left out.
  expect(others).toEqual([]);
});
