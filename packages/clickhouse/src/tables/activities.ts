import { float64, keyword, moment, nullable, string, uInt8, uInt16, uInt32, uInt64 } from "./columns.ts";
import { defineTable } from "./defineTable.ts";

/**
 * Activities, one row each, in the order of account, action, week, contact and time: a condition on `time` leaves the other weeks out. The last
 * five written columns are the row's position in the log.
 */
export const activities = defineTable({
  name: "activities",
  columns: {
    account: uInt32,
    contact: uInt64,
    action: keyword,
    time: moment,
    ingested: moment,
    uid: string,
    record: string,
    mc_id: string,
    properties: string,
    geo_city: string,
    geo_country: keyword,
    geo_lat: nullable(float64),
    geo_lon: nullable(float64),
    device: string,
    topic_generation: uInt16,
    lane: uInt8,
    partition: uInt16,
    log_offset: uInt64,
    place: uInt16,
  },
  computed: {
    /** Greater the earlier a row was appended to the log: the first copy of an activity stays. */
    seniority: "UInt64",
    /** Message that `mc_id` names; empty where it names none. */
    message: "LowCardinality(String)",
    /** The child of a day (`d260131`) or an hour. */
    message_period: "LowCardinality(String)",
    message_type: "LowCardinality(String)",
  },
});
