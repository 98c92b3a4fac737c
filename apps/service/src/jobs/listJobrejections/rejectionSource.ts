import {
  countRedriveRejections,
  pageRedriveRejections,
  type RedriveRejectionPlace,
} from "@headwater/stores/deadLetters";
import { countJobRejections, pageJobRejections } from "@headwater/stores/jobs";
import type { Session } from "@headwater/stores/postgres";
import { z } from "zod";
import { type Rejection, toRejection, toRejectionOfRedrive } from "./rejection.ts";

export interface RejectionsAsked {
  readonly job: string;
  /** Number of the account. */
  readonly account: number;
}

interface RejectionPlaces<Key> {
  readonly direction: "asc" | "desc";
  readonly after: Key | undefined;
  readonly skip: number;
  readonly rowsMax: number;
}

export interface PlacedRejection<Key> {
  readonly key: Key;
  readonly rejection: Rejection;
}

/** Rejections of one job, wherever they are kept. */
export interface RejectionSource<Key> {
  /** Place of one in the list. */
  readonly key: z.ZodType<Key>;
  readonly page: (session: Session, places: RejectionPlaces<Key>) => Promise<PlacedRejection<Key>[]>;
  readonly count: (session: Session) => Promise<number>;
}

/** Returns the rows of a source, which are kept with their job. */
export function rejectedRows({ job, account }: RejectionsAsked): RejectionSource<number> {
  return {
    key: z.number().int(),
    page: async (session, { after, ...places }) => {
      const rows = await pageJobRejections(session, { account, job, ...places, ...(after !== undefined && { after }) });
      return rows.map((row) => ({ key: row.index, rejection: toRejection(row) }));
    },
    count: (session) => countJobRejections(session, account, job),
  };
}

/** Returns the letters that a redrive could not write, and the records that it wrote and that are letters again. */
export function rejectedLetters({ job: redrive, account }: RejectionsAsked): RejectionSource<RedriveRejectionPlace> {
  return {
    key: z.tuple([z.number().int(), z.number().int()]),
    page: async (session, { after, ...places }) => {
      const page = { account, redrive, ...places, ...(after !== undefined && { after }) };
      const rows = await pageRedriveRejections(session, page);
      return rows.map((row) => ({ key: [row.kind, row.index], rejection: toRejectionOfRedrive(row) }));
    },
    count: (session) => countRedriveRejections(session, account, redrive),
  };
}
