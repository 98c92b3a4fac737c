import { batchItemsMax, type Items, type OperationName } from "@headwater/client";
import { operations } from "@headwater/operations";
import { expect, expectTypeOf, test } from "vitest";
import type { z } from "zod";

/** Freezes a type: the client changes nothing it sends. */
type Frozen<Value> = Value extends object ? { readonly [Name in keyof Value]: Frozen<Value[Name]> } : Value;
type Door<Operation extends { readonly body: z.ZodType }> = Frozen<z.output<Operation["body"]>>;
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

test("the client's items have the types that the door checks, members that may be absent included", () => {
  expectTypeOf<Sent<"upsertContact">>().toEqualTypeOf<Door<typeof upsertContact>>();
  expectTypeOf<Sent<"createContactactivities">>().toEqualTypeOf<Door<typeof createContactactivities>>();
  expectTypeOf<Sent<"addContactsToList">>().toEqualTypeOf<Door<typeof addContactsToList>>();
  expectTypeOf<Sent<"removeContactsFromList">>().toEqualTypeOf<Door<typeof removeContactsFromList>>();
  expectTypeOf<Sent<"addProductsToCart">>().toEqualTypeOf<Door<typeof addProductsToCart>>();
  expectTypeOf<Sent<"removeProductsFromCart">>().toEqualTypeOf<Door<typeof removeProductsFromCart>>();
  expectTypeOf<Sent<"upsertSupplementsRecords">>().toEqualTypeOf<Door<typeof upsertSupplementsRecords>>();
  expectTypeOf<Sent<"upsertOrder">>().toEqualTypeOf<Door<typeof upsertOrder>>();
  // Types are compared by the compiler, which `npm run verify` asks; this sees that none was left out.
  expect(others).toEqual([]);
});
