import type { Account } from "@headwater/contracts";
import { dataOf } from "@headwater/messaging";
import { type MessageData, messageDataOf } from "@headwater/projection";
import type { Session } from "@headwater/stores/postgres";
import type { StoredSend } from "@headwater/stores/sends";
import type { WantedMessage } from "../messages/wantedMessage.ts";
import type { Recipients } from "./facts.ts";

/** Returns the records that a message shows to the contact of its send. */
export type DataOfSend = (send: StoredSend, wanted: WantedMessage) => MessageData;

interface DataWanted {
  readonly account: Account;
  readonly recipients: Recipients;
  readonly wanted: ReadonlyMap<StoredSend, WantedMessage>;
  readonly nowMs: number;
}

const NOTHING: MessageData = {};

/** Loads the records that the messages of a window show, for all of their contacts together. */
export async function loadData(
  session: Session,
  { account, recipients, wanted, nowMs }: DataWanted,
): Promise<DataOfSend> {
  const named = [...wanted].filter(([, { message }]) => dataOf(message.content).length > 0);
  const groups = Map.groupBy(named, ([, { message }]) => JSON.stringify(dataOf(message.content)));
  const person = ({ contact }: StoredSend) => recipients.get(contact)?.row?.number ?? contact;
  const loaded = await Promise.all(
    [...groups].map(async ([sources, sends]) => {
      const contacts = [...new Set(sends.map(([send]) => person(send)))];
      const [first] = sends;
      const asked = { account, contacts, nowMs };
      return [
        sources,
        await messageDataOf(session, first === undefined ? [] : dataOf(first[1].message.content), asked),
      ] as const;
    }),
  );
  const bySources = new Map(loaded);
  return (send, { message }) => {
    const sources = dataOf(message.content);
    return sources.length === 0 ? NOTHING : (bySources.get(JSON.stringify(sources))?.(person(send)) ?? NOTHING);
  };
}
