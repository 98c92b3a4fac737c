import type { ListedMessage } from "@headwater/stores/batchMessages";
import type { Session } from "@headwater/stores/postgres";
import { countSendStatesOfEach } from "@headwater/stores/sends";
import { namesAny } from "../../paging/listAnswer.ts";
import { childDelivery } from "../childView.ts";
import { deliveryOf } from "../delivery.ts";

/** Members of a row that its sends are counted for. */
export type DeliveryOfRow = (row: ListedMessage) => object;

interface Asked {
  readonly account: number;
  readonly fields: string | undefined;
}

/** Returns whether `fields` names what sends are counted for: a page of great messages has millions of them. */
export function asksDelivery(fields: string | undefined): boolean {
  return fields !== undefined && namesAny(fields, ["delivery", "audienceTotal"]);
}

/** Counts the sends of a page's messages in one statement, in the snapshot in which the page was read. Days and hours are as great as their sends. */
export async function readDeliveries(
  session: Session,
  rows: readonly ListedMessage[],
  { account, fields }: Asked,
): Promise<DeliveryOfRow> {
  if (fields === undefined || !asksDelivery(fields)) return () => ({});
  const isWhole = namesAny(fields, ["delivery"]);
  const isCounted = ({ kind, message }: ListedMessage) =>
    kind === "child" || (isWhole && message.audienceTotal !== null);
  const ids = rows.filter(isCounted).map(({ message }) => message.id);
  const counts = await countSendStatesOfEach(session, account, ids);
  return (row) => {
    const own = counts.get(row.message.id) ?? [];
    if (row.kind === "child") return childDelivery(own);
    const delivery = isWhole ? deliveryOf(row.message, own) : undefined;
    return delivery === undefined ? {} : { delivery };
  };
}
