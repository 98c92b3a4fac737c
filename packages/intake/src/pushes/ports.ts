import type { KeyCache } from "@headwater/http";
import type { IntakePorts } from "../entry/ports.ts";
import type { AccountCache } from "./accountCache.ts";
import type { PartnerLists } from "./partnerLists.ts";

/** Ports of a partner's push. */
export interface PartnerPorts extends IntakePorts {
  readonly keys: KeyCache;
  readonly accounts: AccountCache;
  readonly lists: PartnerLists;
}
