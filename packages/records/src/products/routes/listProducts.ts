import { waitForAfter } from "@headwater/api/consistency/after";
import { pageOf } from "@headwater/api/paging/answerSchema";
import { readCounted } from "@headwater/api/paging/counted";
import { listAnswer, pickFields } from "@headwater/api/paging/listAnswer";
import { cutBoundedPage, readPage } from "@headwater/api/paging/page";
import { expectWholePage, PAGE_BYTES_MAX, PAGE_BYTES_NOTE } from "@headwater/api/paging/pageBytes";
import { listQuery, storableText } from "@headwater/api/paging/query";
import type { AfterPorts } from "@headwater/api/ports";
import type { Account } from "@headwater/contracts";
import { type Answer, defineRoute, type Route } from "@headwater/http";
import { mapInSteps, runInSlices } from "@headwater/kernel";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { productAnswer, productExample } from "../productShape.ts";
import { countProducts, pageProducts, type StoredProduct } from "../products.ts";
import { PRODUCT_MEMBERS, productRecord } from "../productView.ts";

const query = z.strictObject({ ...listQuery, sort_by: z.enum(["ct", "productID"]).optional() });
type ProductsQuery = z.output<typeof query>;

const cursorKey = z.strictObject({ createdAt: z.number().int(), productId: storableText(1_024) });

const productsAnswer = pageOf(productAnswer.partial());

const productsExample = {
  data: [productExample],
  pagination: { per_page: 25, page: 1, next_cursor: null },
};

/** Products by (time of making, id), or by id. */
async function listProductsOf(
  query: ProductsQuery,
  { number: account }: Pick<Account, "number">,
  { postgres, cursors }: Pick<RoutePorts, "postgres" | "cursors">,
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

export function listProducts(ports: AfterPorts & Pick<RoutePorts, "cursors" | "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/products",
    operationId: "listProducts",
    summary: "Lists products in order of creation.",
    description: PAGE_BYTES_NOTE,
    tags: ["products"],
    answers: { 200: { description: "A page of products.", schema: productsAnswer, example: productsExample } },
    auth: "basic",
    scope: "products:read",
    rateClass: "read",
    query,
    handler: async ({ query: given, caller, signal }) => {
      await waitForAfter({ token: given.after, caller, store: "products", signal }, ports);
      return listProductsOf(given, caller.account, ports);
    },
  });
}
