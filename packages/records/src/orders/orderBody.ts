import { successShape } from "@headwater/api/answers/success";
import { orderMembers, shapes } from "@headwater/contracts";
import type { Caller } from "@headwater/http";
import { z } from "zod";
import { everyIdentifierIn, identifiersIn, identifierWarnings } from "../contacts/addressWarnings.ts";

const { order, identifiers, suppressTriggers } = shapes;

/** Members whose numbers keep every digit. */
export const exactMembers: ReadonlySet<string> = new Set([
  ...["itemPrice", "salePrice", "amount", "tax", "shippingAndHandling", "totalAmount"],
]);

const whose = {
  cID: z.string().min(1).max(512).optional(),
  email: z.string().min(1).max(512).optional(),
  identifiers: identifiers.optional(),
  suppressTriggers,
};

/** Open: the account's identifiers may stand next to `email`, and all else is ignored with a warning. */
export const newOrder = z.looseObject({
  orderID: order.shape.orderID,
  purchaseDate: order.shape.purchaseDate,
  ...whose,
  ...orderMembers,
});
export const orderChanges = newOrder.partial();
/** Names of the members that are not ignored: those of the shape, and the account's identifiers. */
export const orderWarnings = {
  warnsBy: z.object(newOrder.shape),
  alsoKnown: ({ account }: Pick<Caller, "account">) => account.settings.identifiers.map(({ name }) => name),
  warnsOf: ({ identifiers: named = {}, ...body }: OrderBody, { account }: Pick<Caller, "account">) =>
    identifierWarnings(
      [...identifiersIn(body, "", account.settings), ...everyIdentifierIn(named, "/identifiers")],
      account.settings,
    ),
};
export type OrderBody = z.output<typeof orderChanges>;

export const orderWritten = successShape.extend({ orderID: z.string() });

export const orderRequest = {
  orderID: "536365",
  purchaseDate: "2010-12-01T08:26:00Z",
  cID: "65f0c0ffee65f0c0ffee0001",
  status: "paid",
  items: [{ productID: "85123A", sku: "85123A", name: "Heart holder", qty: 6, itemPrice: "2.55" }],
};
