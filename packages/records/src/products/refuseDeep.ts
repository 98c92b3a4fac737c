import { refusal } from "@headwater/http";
import { checkProduct, type DeclaredMembers } from "./storedProduct.ts";

/** Throws 422 for free-form members with names or a nesting that no record may have. `at` is the pointer to the product. */
export function refuseDeep(products: readonly { readonly at: string; readonly members: DeclaredMembers }[]): void {
  const details = products.flatMap(({ at, members }) => checkProduct(members, at));
  const [first] = details;
  if (first !== undefined) throw refusal("VALIDATION_ERROR", first.message, { details });
}
