import {
  type Account,
  canonicalName,
  checkFreeForm,
  identifiersInOrder,
  missingIdentifier,
  orderMembers,
  shapes,
} from "@headwater/contracts";
import { refusal } from "@headwater/http";
import { type ErrorDetail, pointerStep, safeParse, toDetails } from "@headwater/kernel";
import { newOrder, type OrderBody } from "./orderBody.ts";
import type { OrderRequest, OrderWritten } from "./writeOrder.ts";

/** A body as the fold takes it. Throws 422 for free-form members with names or a nesting that no record may have. */
export function toOrderRequest(orderID: string, body: OrderBody, account: Account): OrderRequest {
  const { properties, items } = body;
  const details = [
    ...checkFreeForm({ properties }, ""),
    ...(items ?? []).flatMap(({ properties, attr }, at) => checkFreeForm({ properties, attr }, `/items/${at}`)),
  ];
  const [first] = details;
  if (first !== undefined) throw invalid(first.message, details);
  // An order that is sent back as it was read has a sum of its items, which stays one.
  const isComputed = (name: string) => name === "totalAmount" && body.totalComputed === true;
  const members = Object.fromEntries(
    Object.entries(body).filter(([name]) => memberNames.has(name) && !isComputed(name)),
  );
  return { orderID, contact: contactOf(body, account), members };
}

const memberNames: ReadonlySet<string> = new Set(["purchaseDate", ...Object.keys(orderMembers)]);

function contactOf(body: OrderBody, account: Account) {
  const { cID, email, identifiers = {} } = body;
  const named: shapes.ContactReference["identifiers"] = {
    ...identifiers,
    ...namedAtTop(body, account),
    ...(email !== undefined && { email }),
    ...(cID !== undefined && { cID }),
  };
  if (Object.keys(named).length === 0) return undefined;
  const missing = missingIdentifier(identifiersInOrder(account.settings, named, undefined));
  if (missing === undefined) return { identifiers: named };
  const message = "The order has no identifier of its contact: this one says that there is no value.";
  const input = Object.keys(identifiers).find((name) => canonicalName(name) === missing.name);
  const path = input === undefined ? `/${missing.name}` : `/identifiers/${pointerStep(input)}`;
  throw invalid(message, [{ path, code: "bad_value", message }]);
}

/** The account's identifiers that stand in the place of `email`; none with the name of another member. Throws 422 for a value that is none. */
function namedAtTop(body: OrderBody, { settings }: Account): shapes.ContactReference["identifiers"] {
  const provided = settings.identifiers.flatMap(({ name }) => {
    const value = Object.hasOwn(newOrder.shape, name) ? null : (body[name] ?? null);
    return value === null ? [] : [[name, value] as const];
  });
  const read = safeParse(shapes.identifiers, Object.fromEntries(provided));
  if (read.success) return read.data;
  const details = toDetails(read.error);
  throw invalid(details[0]?.message ?? "", details);
}

/** Checks that a new order names its contact. Throws 422. */
export function expectContact({ contact }: OrderRequest): void {
  if (contact !== undefined) return;
  throw invalid("The contact of the order is missing.", [
    { path: "/cID", code: "required", message: "Name the contact by cID, email or identifiers." },
  ]);
}

/** The written order, or what it was refused for. */
export function expectWritten(written: OrderWritten, body: OrderBody) {
  switch (written.kind) {
    case "written":
      return written;
    case "taken":
      throw refusal("ID_MUST_BE_UNIQUE", "An order with this orderID already exists.", {
        details: [{ path: "/orderID", code: "bad_value", message: "Use PUT to update the existing order." }],
      });
    case "unknownOrder":
      throw refusal("RECORD_NOT_FOUND", "No order has this id.");
    case "unknownContact":
      throw refusal("CONTACTS_CONTACT_NOT_FOUND", "No contact has these identifiers.");
    case "rejected":
      throw invalid(written.message, [
        { path: pathInBody(written.path, body), code: "bad_value", message: written.message },
      ]);
  }
}

/** Identifiers may stand at the top as well. */
function pathInBody(path: string, { identifiers, email, cID }: OrderBody): string {
  if (identifiers !== undefined) return path;
  if (email !== undefined) return "/email";
  return cID === undefined ? "" : "/cID";
}

function invalid(message: string, details: readonly ErrorDetail[]) {
  return refusal("VALIDATION_ERROR", message, { details });
}

/** `orderID` cannot be changed. Throws 422. */
export function expectSameId(id: string, { orderID = id }: Pick<OrderBody, "orderID">): void {
  if (orderID === id) return;
  const message = "`orderID` cannot be changed.";
  throw invalid(message, [{ path: "/orderID", code: "not_allowed", message }]);
}
