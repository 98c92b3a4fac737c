import { parseMcId } from "@headwater/contracts";
import { plainArray } from "@headwater/postgres/connection/arrays";
import type { Session } from "@headwater/postgres/connection/session";
import type { OrchestrationName } from "../orchestrations/postgres.ts";

/** Sends of contacts that are read together: where there are more, what is left out is assumed. */
const SENDS_MAX = 200_000;

const sentStatement = {
  name: "orchestration_sends_of_contacts",
  text: `SELECT effect, run, template, message, cid, n FROM orchestration_sends
    WHERE account = $1 AND orchestration = $2 AND contact = ANY ($3::bigint[]) AND message <> '' LIMIT ${SENDS_MAX}`,
};

interface SentRow {
  /** Id of the effect, which a simulated run has as well. */
  readonly effect: string;
  readonly run: string;
  readonly template: string;
  readonly message: string;
  readonly cid: string;
  readonly n: number;
}

/** Messages that runs of an orchestration really sent, to find them by their mcIDs. */
export interface SentMessages {
  /** Ids of the effects. */
  readonly effects: ReadonlySet<string>;
  /** Returns the run and the template of a message. */
  of(mcId: string): { readonly run: string; readonly key: string } | undefined;
}

/** Reads the messages that an orchestration sent to contacts, by all numbers that they had. */
export async function readSentMessages(
  session: Session,
  { account, orchestration }: OrchestrationName,
  contacts: readonly number[],
): Promise<SentMessages> {
  const numbers = plainArray(contacts, (contact) => contact);
  const rows = await session.query<SentRow>(sentStatement, [account, orchestration, numbers]);
  const byName = new Map(rows.map((row) => [nameOf(row), { run: row.run, key: row.template }]));
  return {
    effects: new Set(rows.map(({ effect }) => effect)),
    of(mcId) {
      const parsed = parseMcId(mcId);
      if (parsed?.type !== "o") return undefined;
      const { message, period, contact: cid, n } = parsed;
      return byName.get(
        nameOf({ message: period === undefined ? message : `${message}:${period}`, cid, n: Number(n) }),
      );
    },
  };
}

function nameOf({ message, cid, n }: Pick<SentRow, "message" | "cid" | "n">): string {
  return `${message} ${cid} ${n}`;
}
