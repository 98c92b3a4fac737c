import type { Account } from "@headwater/contracts";
import type { Session } from "@headwater/postgres/connection/session";
import { dataOf } from "../../frozen/storedContent.ts";
import { messageLimits } from "../../limits.ts";
import { type MessageDataOutcome, messageDataOf } from "../../messageData/messageDataOf.ts";
import type { StoredSend } from "../../sends/sendRow.ts";
import type { WantedMessage } from "../messages/wantedMessage.ts";
import type { Recipients } from "./facts.ts";

/** Returns the records that a message shows to the contact of its send, or why there are none. */
export type DataOfSend = (send: StoredSend) => MessageDataOutcome;

interface DataWanted {
  readonly account: Account;
  readonly recipients: Recipients;
  readonly wanted: ReadonlyMap<StoredSend, WantedMessage>;
  readonly nowMs: number;
}

const NOTHING: MessageDataOutcome = { kind: "loaded", data: {} };

/** Loads the records that the messages of a window show, for all of their contacts together. */
export async function loadData(
  session: Session,
  { account, recipients, wanted, nowMs }: DataWanted,
): Promise<DataOfSend> {
  const named = [...wanted].flatMap(([send, { message }]) => {
    const sources = dataOf(message.content);
    return sources.length === 0 ? [] : [{ send, sources, person: recipients.get(send)?.row?.number ?? send.contact }];
  });
  // Messages that name the same sources are loaded together.
  const groups = [...Map.groupBy(named, ({ sources }) => JSON.stringify(sources)).values()];
  const loaded = await Promise.all(
    groups.map(async (same) => {
      const contacts = [...new Set(same.map(({ person }) => person))];
      const asked = { account, contacts, nowMs, bytesMax: messageLimits.contextBytes };
      const recordsOf = await messageDataOf(session, same[0]?.sources ?? [], asked);
      return same.map(({ send, person }) => [send, recordsOf(person)] as const);
    }),
  );
  const bySend = new Map(loaded.flat());
  return (send) => bySend.get(send) ?? NOTHING;
}
