import { randomUUID } from "node:crypto";
import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { formatDecimal } from "@headwater/contracts";
import type { Campaign, CampaignActivity, CampaignOrder } from "./campaign.ts";

const time = (ms: number) => new Date(ms).toISOString().replace("T", " ").slice(0, 23);

/** Writes a campaign as the consumer groups would, half of the activities twice: they are copies that are not folded yet. */
export async function loadCampaign(clickHouse: ClickHouse, account: number, campaign: Campaign): Promise<void> {
  const insert = async (table: string, rows: readonly object[]) => {
    const [first] = rows;
    if (first === undefined) return;
    const columns = ["account", ...Object.keys(first)];
    const body = rows.map((row) => JSON.stringify([account, ...Object.values(row)])).join("\n");
    await clickHouse.insertBlock({ table, columns, body, token: randomUUID() });
  };
  const aliases = [...campaign.aliases].map(([contact, survivor]) => ({ contact, survivor, revision: 1 }));
  await insert("contact_aliases", aliases);
  const activities = campaign.activities.map(activityRow);
  await insert(
    "activities",
    activities.filter((_, index) => index % 2 === 0),
  );
  await insert("activities", activities);
  await insert("orders_current", campaign.orders.map(orderRow));
}

function activityRow({ contact, action, time: at, ingested, uid, mcId, properties, device }: CampaignActivity) {
  return {
    ...{ contact, action, time: time(at), ingested: time(ingested), uid, mc_id: mcId },
    properties: JSON.stringify(properties),
    device: device === undefined ? "" : JSON.stringify(device),
  };
}

function orderRow(order: CampaignOrder) {
  const { orderId, contact, purchasedAt, counts, deleted, currency, total, mcID, msID } = order;
  return {
    order_id: orderId,
    contact,
    purchased_at: time(purchasedAt),
    counts: counts ? 1 : 0,
    currency,
    total: total === null ? null : formatDecimal(total),
    document: JSON.stringify({ orderID: orderId, mcID, msID }),
    deleted: deleted ? 1 : 0,
    revision: 1,
  };
}
