import type { Served } from "../measure/serviceStretch.ts";
import type { App } from "../processes/app.ts";
import type { Worker } from "../processes/worker.ts";

/** The service, what it is compared with, and the process that loads them. */
export interface ServiceTargets {
  readonly app: App;
  readonly ours: Served;
  /** Fastify over SQL written by hand. */
  readonly sql: Served;
  /** Fastify that answers the same bytes from memory. */
  readonly alone: Served;
  readonly load: Worker;
  /** Contacts are numbered from 1 to this. */
  readonly contacts: number;
}
