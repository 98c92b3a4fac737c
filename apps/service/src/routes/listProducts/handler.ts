import type { Account } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { countProducts, pageProducts, type StoredProduct } from "@headwater/stores";
import { listAnswer, pickFields } from "../../paging/listAnswer.ts";
import { cutPage, readPage } from "../../paging/page.ts";
import type { ServicePorts } from "../../ports.ts";
import { PRODUCT_MEMBERS, productRecord } from "../../products/productView.ts";
import { cursorKey, type ProductsQuery } from "./schema.ts";

/** Products by (time of making, id), or by id. */
export async function listProductsOf(
  query: ProductsQuery,
  { number: account }: Pick<Account, "number">,
  { postgres }: Pick<ServicePorts, "postgres">,
): Promise<Answer> {
  const sortBy = query.sort_by ?? "ct";
  const list = `products by ${sortBy}`;
  const page = readPage(query, { list, key: cursorKey, direction: "asc" });
  const pick = pickFields(query.fields, PRODUCT_MEMBERS);
  const { after, direction, skip, perPage } = page;
  const bounds = { sortBy, direction, skip, rowsMax: perPage + 1, ...(after && { after }) };
  const rows = await pageProducts(postgres, { account, ...bounds });
  const keyOf = ({ createdAt, productId }: StoredProduct) => ({ createdAt, productId });
  const { rows: kept, nextCursor } = cutPage(rows, page, { list, keyOf });
  const listed = { rows: kept.map((row) => pick(productRecord(row))), nextCursor };
  const total = query.return_count === "true" ? await countProducts(postgres, account) : undefined;
  return listAnswer({ path: "/v2/products", query, page, listed, total });
}
