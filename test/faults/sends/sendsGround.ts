import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { TestSmtpServer } from "@headwater/testing";
import type { SupervisedProcess } from "../../../infra/src/index.ts";
import type { Apps } from "../harness/apps.ts";
import type { Calls } from "../harness/calls.ts";
import type { Ground } from "../harness/services.ts";

/**
 * Lease of the senders' claims: short, so that a test need not wait a minute for each kill. The long form may run next to something else: a
 * sender that the machine holds up for longer than its lease loses its window as one that sleeps.
 */
export const LEASE_SECONDS = process.env.HEADWATER_FAULTS === "long" ? 8 : 3;

/** Recipient as the test knows it. */
export interface Person {
  readonly email: string;
  readonly customerId: string;
  /** Number of the contact, as rows of sends name it. */
  number: number;
  /** Happened to the person, and was applied. */
  fate: "none" | "unsubscribed" | "erased" | "merged";
  /** The server has refused the address: it may be suppressed from then on. */
  isRefused: boolean;
  /** Time by Postgres' clock at which the person had unsubscribed. */
  unsubscribedAt?: number;
  /** Clicks that were answered. */
  clicks: number;
}

/** Our processes with senders and a mail server, each of them a process of its own. */
export interface SendsGround extends Calls {
  readonly ground: Ground;
  readonly apps: Apps;
  readonly smtp: TestSmtpServer;
  readonly account: { readonly number: number; readonly id: string };
  readonly people: readonly Person[];
  /** Rate of the transport, if it has one. */
  readonly perSecond: number | undefined;
  /** Connections that may be idle in a transaction for minutes. */
  readonly patient: Postgres;
  senders(): readonly SupervisedProcess[];
  stop(): Promise<void>;
}
