import type { Account } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { mapInSteps, runInSlices } from "@headwater/kernel";
import { countProducts, pageProducts, type StoredProduct } from "@headwater/stores/products";
import { readCounted } from "../../paging/counted.ts";
import { listAnswer, pickFields } from "../../paging/listAnswer.ts";
import { cutBoundedPage, readPage } from "../../paging/page.ts";
import { expectWholePage, PAGE_BYTES_MAX } from "../../paging/pageBytes.ts";
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
  const limits = { rowsMax: perPage + 1, bytesMax: PAGE_BYTES_MAX };
  const bounds = { sortBy, direction, skip, ...limits, ...(after && { after }) };
  const { rows: bounded, total } = await readCounted(postgres, query, {
    page: (session) => pageProducts(session, { account, ...bounds }),
    count: (session) => countProducts(session, account),
  });
  const keyOf = ({ createdAt, productId }: StoredProduct) => ({ createdAt, productId });
  expectWholePage(query, bounded, perPage);
  const { rows, nextCursor } = cutBoundedPage(bounded, page, keyOf);
  const shown = await runInSlices(mapInSteps(rows, (row) => pick(productRecord(row))));
  const listed = { rows: shown, nextCursor };
  return listAnswer({ path: "/v2/products", query, page, listed, total });
}
