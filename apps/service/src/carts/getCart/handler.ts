import { type Account, toTimestamp } from "@headwater/contracts";
import { fromCartRow, viewCart } from "@headwater/domain/cart";
import { type Answer, refusal } from "@headwater/http";
import { loadCarts, type StoredCart } from "@headwater/stores/carts";
import type { Session } from "@headwater/stores/postgres";
import { decimalNumber } from "../../answers/rawJson.ts";
import { findContact, readPrimaryKey } from "../../contacts/findContact.ts";
import type { ServicePorts } from "../../ports.ts";
import { withSnapshot } from "../../reading/withSnapshot.ts";

const EMPTY = { items: [], totalAmount: 0 };

/** Throws 404 `CONTACTS_CONTACT_NOT_FOUND`. */
export async function readCart(
  primaryKey: string,
  account: Account,
  { postgres, clock }: Pick<ServicePorts, "postgres" | "clock">,
): Promise<Answer> {
  const row = await withSnapshot(postgres, (session) => findCart(session, primaryKey, account));
  if (row === undefined) return { status: 200, body: EMPTY };
  const { document, expiresAt } = viewCart(fromCartRow(row.contact, row));
  if (expiresAt === undefined || expiresAt > clock.nowMs()) return { status: 200, body: withNumbers(document) };
  return { status: 200, body: { ...EMPTY, updatedAt: toTimestamp(expiresAt) } };
}

async function findCart(session: Session, primaryKey: string, account: Account): Promise<StoredCart | undefined> {
  const contact = await findContact(session, account, readPrimaryKey(primaryKey, account));
  if (contact === undefined) throw refusal("CONTACTS_CONTACT_NOT_FOUND", "No contact has this key.");
  const [row] = await loadCarts(session, [{ account: account.number, contact: contact.number }]);
  return row;
}

/** Decimals stand as texts of their digits in the view. */
function withNumbers(document: Readonly<Record<string, unknown>>): object {
  const items: unknown[] = Array.isArray(document.items) ? document.items : [];
  return { ...numbers(document, ["tax", "totalAmount"]), items: items.map((item) => numbers(Object(item), PRICES)) };
}

const PRICES = ["itemPrice", "amount"];

function numbers(record: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  const decimals = names.filter((name) => record[name] !== undefined);
  return { ...record, ...Object.fromEntries(decimals.map((name) => [name, decimalNumber(record[name])])) };
}
