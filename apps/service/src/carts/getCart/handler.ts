import { type Account, toTimestamp } from "@headwater/contracts";
import { fromCartRow, viewCart } from "@headwater/domain/cart";
import { type Answer, refusal } from "@headwater/http";
import { decimalNumber, shownCart } from "@headwater/projection";
import { loadCarts, type StoredCart } from "@headwater/stores/carts";
import type { Session } from "@headwater/stores/postgres";
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
  if (expiresAt === undefined || expiresAt > clock.nowMs())
    return { status: 200, body: shownCart(document, decimalNumber) };
  return { status: 200, body: { ...EMPTY, updatedAt: toTimestamp(expiresAt) } };
}

async function findCart(session: Session, primaryKey: string, account: Account): Promise<StoredCart | undefined> {
  const contact = await findContact(session, account, readPrimaryKey(primaryKey, account));
  if (contact === undefined) throw refusal("CONTACTS_CONTACT_NOT_FOUND", "No contact has this key.");
  const [row] = await loadCarts(session, [{ account: account.number, contact: contact.number }]);
  return row;
}
