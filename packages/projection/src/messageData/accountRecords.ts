import type { Account, MessageDataSource } from "@headwater/contracts";
import type { Session } from "@headwater/stores/postgres";
import { loadProducts, pageProducts, type StoredProduct } from "@headwater/stores/products";
import { type StoredSupplement, walkSupplementRecords } from "@headwater/stores/supplements";
import { shownProduct } from "../views/shownProduct.ts";
import { shownSupplementRecord, toReadRecord } from "../views/shownSupplementRecord.ts";
import { plainNumber } from "../views/writtenDigits.ts";

/** Records of the account that one source looks at: the newest products, the first records of a table. */
const LOOKED_AT = 1_000;

/** Returns the products that a source may show: those that it names by `productID`, else the newest ones. */
export async function productsFor(
  session: Session,
  { number: account }: Pick<Account, "number">,
  { where = [] }: Pick<MessageDataSource, "where">,
): Promise<object[]> {
  const rows = await readProducts(session, account, idsNamed(where));
  return rows.filter(({ deletedAt }) => deletedAt === null).map((row) => shownProduct(row, plainNumber));
}

function readProducts(session: Session, account: number, ids: readonly string[] | undefined): Promise<StoredProduct[]> {
  if (ids === undefined) {
    return pageProducts(session, { account, sortBy: "ct", direction: "desc", skip: 0, rowsMax: LOOKED_AT });
  }
  return loadProducts(
    session,
    [...new Set(ids)].map((productId) => ({ account, productId })),
  );
}

function idsNamed(where: NonNullable<MessageDataSource["where"]>): string[] | undefined {
  const named = where.find(({ field, op }) => field === "productID" && (op === "eq" || op === "in"));
  if (named === undefined || !("value" in named)) return undefined;
  return [named.value].flat().map(String);
}

/** Returns the records of a table that belongs to no contacts. */
export async function recordsOfTable(session: Session, table: StoredSupplement): Promise<object[]> {
  const { account, id: supplement, clearedVersion } = table;
  const walk = { direction: "asc", skip: 0, rowsMax: LOOKED_AT } as const;
  const rows = await walkSupplementRecords(session, { account, supplement, clearedVersion }, walk);
  return rows.map((row) => shownSupplementRecord(toReadRecord(row, table)));
}
