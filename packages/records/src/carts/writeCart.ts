import type { OnceCall } from "@headwater/api/idempotency/runOnce";
import type { WritePorts } from "@headwater/api/ports";
import { checkFreeForm, shapes } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import { contactByKey } from "../contacts/findInState.ts";
import { cartRecord } from "../views/cartView.ts";
import { writeOnce } from "../writing/writeOnce.ts";
import type { CartBody, CartLine } from "./cartBody.ts";
import { type CartRequest, setCart } from "./setCart.ts";

export interface CartWriteCall {
  readonly primaryKey: string;
  readonly once: OnceCall;
  /** The header: the version of the contact. */
  readonly ifMatch: string | undefined;
  readonly request: CartRequest;
  /** It starts no automation. */
  readonly suppressTriggers?: boolean | undefined;
  readonly status: 200 | 201;
}

/**
 * Writes the cart of a contact as a whole: what it has no space for is 422 and changes nothing.
 * @throws HeadwaterError 404 `CONTACTS_CONTACT_NOT_FOUND`, 409 `VERSION_CONFLICT`.
 */
export function writeCart(
  { primaryKey, once, ifMatch, request, suppressTriggers, status }: CartWriteCall,
  ports: WritePorts,
): Promise<Answer> {
  const key = contactByKey(primaryKey, once.caller.account, ifMatch);
  return writeOnce(
    once,
    {
      kind: "v2",
      suppressTriggers,
      reads: { ...key.reads, cart: true },
      fold: (state, origin) => {
        const { number } = key.in(state);
        const before = state.cart(number);
        const set = setCart(state, number, request, origin);
        if (set.left > 0) throw tooFull();
        return { ...set, before };
      },
      answer: () => ({ status, body: { success: true } }),
      stored: ({ before }) => cartRecord(before, ports.clock.nowMs()),
    },
    ports,
  );
}

/**
 * Members and lines of a body; `fresh`: nothing of the cart before stays.
 * @throws HeadwaterError 422 for free-form members with names or a nesting that no record may have.
 */
export function toRequest({ cartitems, items, ...members }: CartBody, fresh: boolean): CartRequest {
  const [name, lines] = cartitems === undefined ? ["items", items] : ["cartitems", cartitems];
  refuseWrongNames((lines ?? []).map((line, index) => ({ line, at: `/${name}/${index}` })));
  return { kind: "set", fresh, members, lines };
}

/** One line that is added. @throws HeadwaterError as `toRequest`. */
export function toAddition(line: CartLine): CartRequest {
  refuseWrongNames([{ line, at: "" }]);
  return { kind: "add", line };
}

function refuseWrongNames(lines: readonly { readonly line: CartLine; readonly at: string }[]): void {
  const details = lines.flatMap(({ line: { properties, attr }, at }) => checkFreeForm({ properties, attr }, at));
  const [first] = details;
  if (first !== undefined) throw refusal("VALIDATION_ERROR", first.message, { details });
}

function tooFull() {
  const { linesPerCart, charactersPerCart } = shapes.bounds;
  const message = `A cart can have at most ${linesPerCart} lines with ${charactersPerCart} characters of JSON.`;
  return refusal("VALIDATION_ERROR", message, { details: [{ path: "/cartitems", code: "too_many", message }] });
}
