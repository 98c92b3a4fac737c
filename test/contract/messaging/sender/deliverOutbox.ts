import { readIntakePayload } from "@headwater/postgres/outbox/intakePayload";
import type { CampaignActivity } from "../messages/campaign.ts";
import { loadCampaign } from "../messages/loadCampaign.ts";
import type { BatchWorld } from "./batchWorld.ts";

/**
 * Plays the relay and the consumer groups: what the senders wrote is in ClickHouse, and nothing is in the outbox.
 * @param numbers of contacts, by their cIDs.
 */
export async function deliverOutbox(world: BatchWorld, numbers: ReadonlyMap<string, number>): Promise<void> {
  const { postgres, clickHouse } = world.service;
  const text = "DELETE FROM outbox WHERE topic = 'intake.records' RETURNING payload";
  const rows = await postgres.query<{ payload: string }>({ text });
  const activities = rows.flatMap(({ payload }) =>
    readIntakePayload(payload).records.map((record): CampaignActivity => {
      const { name, UID, properties } = JSON.parse(record).event;
      const { mcID } = properties;
      const contact = numbers.get(mcID.split(":").at(-2)) ?? 0;
      return { ...did(contact, name, mcID), uid: UID, properties };
    }),
  );
  await loadCampaign(clickHouse, world.account.number, { aliases: new Map(), activities, orders: [] });
}

export function did(contact: number, action: string, mcId: string): CampaignActivity {
  const time = Date.now();
  return { contact, action, time, ingested: time, uid: `${action}:${mcId}`, mcId, properties: {} };
}
