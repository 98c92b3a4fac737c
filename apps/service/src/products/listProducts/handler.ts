import type { Account } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { countProducts, pageProducts, type StoredProduct } from "@headwater/stores/products";
import { readCounted } from "../../paging/counted.ts";
import { listAnswer, pickFields } from "../../paging/listAnswer.ts";
import { cutPage, readPage } from "../../paging/page.ts";
import type { ServicePorts } from "../../ports.ts";
import { PRODUCT_MEMBERS, productRecord } from "../productView.ts";
import { cursorKey, type ProductsQuery } from "./schema.ts";

/** Products by (time of making, id), or by id. */
export async function listProductsOf(
  query: ProductsQuery,
  { number: account }: Pick<Account, "number">,
  { postgres, cursors }: Pick<ServicePorts, "postgres" | "cursors">,
): Promise<Answer> {
  const sortBy = query.sort_by ?? "ct";
  const list = `products by ${sortBy}`;
  const page = readPage(query, { list, key: cursorKey, direction: "asc", account, cursors });
  const pick = pickFields(query.fields, PRODUCT_MEMBERS);
  const { after, direction, skip, perPage } = page;
  const bounds = { sortBy, direction, skip, rowsMax: perPage + 1, ...(after && { after }) };
  const { rows, total } = await readCounted(postgres, query, {
    page: (session) => pageProducts(session, { account, ...bounds }),
    count: (session) => countProducts(session, account),
  });
  const keyOf = ({ createdAt, productId }: StoredProduct) => ({ createdAt, productId });
  const { rows: kept, nextCursor } = cutPage(rows, page, keyOf);
  const listed = { rows: kept.map((row) => pick(productRecord(row))), nextCursor };
  return listAnswer({ path: "/v2/products", query, page, listed, total });
}
