import type { RoutePorts as IntakePorts } from "@headwater/intake/ports";
import type { AliasRevisions } from "./audiences/aliasRevisions.ts";
import type { SeenNames } from "./criteria/neverSeen.ts";

/** Ports of the routes of audiences. */
export interface RoutePorts extends IntakePorts {
  readonly aliasRevisions: AliasRevisions;
  /** Names of criteria that data were found for. */
  readonly seenNames: SeenNames;
}
