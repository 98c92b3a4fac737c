import type { RejectRow } from "@headwater/contracts";
import type { ReceiptCounts } from "@headwater/intake/receipts/receipts";
import type { MessageChannel } from "@headwater/intake/state/messageChannels";
import type { EventTrigger, TemplateId } from "@headwater/intake/triggers/eventTriggers";
import type { Listener } from "@headwater/intake/triggers/listeners";
import type { TriggeredEvent } from "@headwater/intake/triggers/storedTriggeredEvents";
import type { OutboxRow } from "@headwater/postgres/outbox/outbox";
import type { ActivityResolutions } from "@headwater/postgres/streams/activityResolutions";
import type { StoredOffset } from "@headwater/postgres/streams/streamOffsets";
import { MemoryState } from "./memoryState.ts";

export interface MemoryReject extends RejectRow {
  readonly redrive: string | null;
  readonly redriveOutcome: string | null;
}

export interface CountedOutcomes {
  readonly applied: number;
  readonly skipped: number;
  readonly copies: number;
}

/** Rows that one transaction over the state sees and writes. */
export interface MemoryTables {
  readonly state: MemoryState;
  /** Names of attributes by number of the account. */
  readonly attributes: Map<number, ReadonlySet<string>>;
  /** Refused records by account and id. */
  readonly rejects: Map<string, MemoryReject>;
  /** Ids of keyed records. */
  readonly applied: Set<string>;
  /** Greatest row by account, job and partition. */
  readonly imported: Map<string, number>;
  readonly resolutions: ActivityResolutions[];
  readonly receiptCounts: ReceiptCounts[];
  /** Counts by account, hour and operation. */
  readonly outcomes: Map<string, CountedOutcomes>;
  readonly outbox: OutboxRow[];
  readonly triggers: EventTrigger[];
  readonly listeners: Listener[];
  readonly messages: MessageChannel[];
  readonly triggered: TriggeredEvent[];
  readonly uncompared: TemplateId[];
  /** The partition's row when the batch is done. */
  offset: StoredOffset | undefined;
}

export function emptyTables(): MemoryTables {
  return {
    state: new MemoryState(),
    attributes: new Map(),
    rejects: new Map(),
    applied: new Set(),
    imported: new Map(),
    resolutions: [],
    receiptCounts: [],
    outcomes: new Map(),
    outbox: [],
    triggers: [],
    listeners: [],
    messages: [],
    triggered: [],
    uncompared: [],
    offset: undefined,
  };
}

/** Returns the same rows on their own, so that they can be thrown away. */
export function copyTables(tables: MemoryTables): MemoryTables {
  return {
    state: tables.state.copy(),
    attributes: new Map(tables.attributes),
    rejects: new Map(tables.rejects),
    applied: new Set(tables.applied),
    imported: new Map(tables.imported),
    resolutions: [...tables.resolutions],
    receiptCounts: [...tables.receiptCounts],
    outcomes: new Map(tables.outcomes),
    outbox: [...tables.outbox],
    triggers: [...tables.triggers],
    listeners: [...tables.listeners],
    messages: [...tables.messages],
    triggered: [...tables.triggered],
    uncompared: [...tables.uncompared],
    offset: tables.offset,
  };
}
