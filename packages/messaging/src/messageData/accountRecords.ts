import type { Account, MessageDataSource } from "@headwater/contracts";
import type { Session } from "@headwater/postgres/connection/session";
import { pageProducts, type StoredProduct } from "@headwater/records/products/products";
import { readFirstSupplementRecords } from "@headwater/records/supplements/supplementReads";
import type { StoredSupplement } from "@headwater/records/supplements/supplements";
import { shownProduct } from "@headwater/records/views/shownProduct";
import { shownSupplementRecord, toReadRecord } from "@headwater/records/views/shownSupplementRecord";
import { plainNumber } from "@headwater/records/views/writtenDigits";

/** Records of the account that one source reads: the newest products, the first records of a table; fewer where they are large. */
const READ_MAX = { rowsMax: 1_000, bytesMax: 4 * 1024 * 1024 } as const;

/** Returns the products that a source may show: those that it names by `productID`, else the newest ones. */
export async function productsFor(
  session: Session,
  { number: account }: Pick<Account, "number">,
  { where = [] }: Pick<MessageDataSource, "where">,
): Promise<object[]> {
  const rows = await readProducts(session, account, idsNamed(where));
  return rows.filter(({ deletedAt }) => deletedAt === null).map((row) => shownProduct(row, plainNumber));
}

async function readProducts(
  session: Session,
  account: number,
  ids: readonly string[] | undefined,
): Promise<readonly StoredProduct[]> {
  const page = { account, sortBy: "ct", direction: "desc", skip: 0, ...READ_MAX } as const;
  return (await pageProducts(session, { ...page, ...(ids !== undefined && { ids }) })).rows;
}

function idsNamed(where: NonNullable<MessageDataSource["where"]>): string[] | undefined {
  const named = where.find(({ field, op }) => field === "productID" && (op === "eq" || op === "in"));
  if (named === undefined || !("value" in named)) return undefined;
  return [named.value].flat().map(String);
}

/** Returns the records of a table that belongs to no contacts. */
export async function recordsOfTable(session: Session, table: StoredSupplement): Promise<object[]> {
  const { account, id: supplement, clearedVersion } = table;
  const rows = await readFirstSupplementRecords(session, { account, supplement, clearedVersion }, READ_MAX);
  return rows.map((row) => shownSupplementRecord(toReadRecord(row, table)));
}
