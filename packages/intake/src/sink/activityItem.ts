import { toDocumentText } from "@headwater/clickhouse/documentText";
import { activities } from "@headwater/clickhouse/tables/index";
import { frameVersionPrefix, parseTime, streamOfTopic } from "@headwater/contracts";
import type { OffsetKey } from "@headwater/postgres/streams/streamOffsets";
import type { LogFrame } from "@headwater/topics";
import type { CreateContactactivitiesRecord } from "../operations/createContactactivities/schema.ts";
import type { IntakeRecord } from "../operations/operation.ts";
import type { Mail } from "../quarantine/quarantine.ts";
import { isRedrive, requestOf } from "../state/loggedRecord.ts";
import { nestDotted } from "./nestDotted.ts";
import type { SinkItem, SinkTables } from "./sink.ts";

export interface AccountFacts {
  readonly number: number;
  readonly timezone: string;
}

export interface ActivityPosition {
  readonly account: AccountFacts;
  /** Number of the contact that `state` resolved. */
  readonly contact: number;
  readonly key: OffsetKey;
  readonly frame: LogFrame;
  readonly place: number;
}

/** An activity that `state` applied. */
export class ActivityItem implements SinkItem {
  readonly #record: IntakeRecord;
  readonly #at: ActivityPosition;

  constructor(record: IntakeRecord, at: ActivityPosition) {
    this.#record = record;
    this.#at = at;
  }

  get offset(): number {
    return this.#at.frame.offset;
  }

  get place(): number {
    return this.#at.place;
  }

  get account(): number {
    return this.#at.account.number;
  }

  get contact(): number {
    return this.#at.contact;
  }

  write(tables: SinkTables): void {
    if (!isActivity(this.#record)) throw new TypeError("the record holds no activity");
    const { event, id } = this.#record;
    const { geo, device, properties } = event;
    const { account, contact, key, frame, place: position } = this.#at;
    const mcId = properties?.mcID;
    tables.add(activities, {
      account: account.number,
      contact,
      action: event.name,
      time: parseTime(event.time, account.timezone) ?? 0,
      ingested: frame.timeMs,
      uid: event.UID ?? id,
      record: id,
      mc_id: typeof mcId === "string" ? mcId : "",
      properties: properties === undefined ? "{}" : toDocumentText(nestDotted(properties)),
      geo_city: geo?.city ?? "",
      geo_country: geo?.country ?? "",
      geo_lat: geo?.geoLoc?.lat ?? null,
      geo_lon: geo?.geoLoc?.lon ?? null,
      device: device === undefined ? "" : toDocumentText(device),
      topic_generation: key.generation,
      lane: streamOfTopic(key.topic),
      partition: key.partition,
      log_offset: frame.offset,
      place: position,
    });
  }

  letter(): Mail {
    const { account, key, frame, place } = this.#at;
    const { id, receivedAt, redriveOf } = this.#record;
    const { requestId, item } = requestOf(id);
    const { offset, timeMs } = frame;
    const prefix = frameVersionPrefix(timeMs, { lane: streamOfTopic(key.topic), partition: key.partition, offset });
    return {
      account: account.number,
      recordId: id,
      requestId,
      itemIndex: item,
      operation: "createContactactivities",
      version: prefix + place.toString(16).padStart(3, "0"),
      receivedAt,
      payload: this.#record,
      redriveOf: isRedrive(this.#record) ? redriveOf : undefined,
    };
  }
}

/** Recognizes an activity by what validation checked; writing the row finds the rest. */
function isActivity(record: IntakeRecord): record is CreateContactactivitiesRecord {
  return "event" in record && typeof record.event === "object" && record.event !== null;
}
