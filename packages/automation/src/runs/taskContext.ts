import type { Account, ProductBody } from "@headwater/contracts";
import type { Outbound, Sealer } from "@headwater/kernel";
import type { Renderer } from "@headwater/messaging/renderer/createRenderer";
import type { Mapper } from "../dataJobs/createMapper.ts";
import type { Node } from "../orchestrations/orchestration.ts";
import type { Outcome, Run } from "../orchestrations/run.ts";
import type { MovePorts } from "./moveTogether.ts";

export interface TaskPorts extends MovePorts {
  readonly renders: Renderer;
  readonly outbound: Outbound;
  /** Runs the mappings of data jobs, which accounts wrote, in processes of their own. */
  readonly mapper: Pick<Mapper, "map">;
  /** Opens the secrets of accounts; without it calls are not signed. */
  readonly sealer: Sealer | undefined;
}

/** Data of a run as Liquid reads them. */
export interface TaskContext {
  readonly account: Account;
  readonly run: Run;
  readonly node: Node;
  /** Members of the contact as answers show them; undefined once it is gone. */
  readonly contact: object | undefined;
  readonly cid: string | undefined;
}

/** The end of a try, with what is to be written with it. */
export interface TaskEnd extends Pick<Outcome, "result" | "reason"> {
  readonly writes?: readonly Write[];
  readonly products?: readonly ProductBody[];
}

/** An item of an operation of intake. */
export interface Write {
  readonly operation:
    | "upsertContact"
    | "addContactsToList"
    | "removeContactsFromList"
    | "createContactactivities"
    | "upsertOrder"
    | "upsertSupplementsRecords";
  readonly item: object;
}
