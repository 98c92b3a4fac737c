-- Of an activity that came twice the first copy stays: a cut by a watermark between the two must not lose it. `seniority` is greater
-- the earlier a row was appended to the log (milliseconds, then partition, then place); the server works it out, for old rows too.
-- `cid` goes: nobody wrote it, and an activity belongs to whoever its contact is merged into. Otherwise as 016: stop the projectors.
ALTER TABLE activities ADD COLUMN IF NOT EXISTS seniority UInt64 MATERIALIZED bitNot(bitOr(bitShiftLeft(toUInt64(toUnixTimestamp64Milli(ingested)), 20), bitOr(bitShiftLeft(toUInt64(partition), 8), bitAnd(place, 255))));
ALTER TABLE activities DROP COLUMN IF EXISTS cid;
-- when: SELECT position(engine_full, 'seniority') = 0 FROM system.tables WHERE database = currentDatabase() AND name = 'activities'
CREATE TABLE IF NOT EXISTS activities_by_seniority (
  account UInt32,
  contact UInt64 CODEC(Delta, LZ4),
  action LowCardinality(String),
  time DateTime64(3, 'UTC'),
  ingested DateTime64(3, 'UTC'),
  uid String,
  record String,
  mc_id String,
  properties String,
  geo_city String,
  geo_country LowCardinality(String),
  geo_lat Nullable(Float64),
  geo_lon Nullable(Float64),
  device String,
  topic_generation UInt16,
  lane UInt8,
  partition UInt16,
  log_offset UInt64,
  place UInt16,
  seniority UInt64 MATERIALIZED bitNot(bitOr(bitShiftLeft(toUInt64(toUnixTimestamp64Milli(ingested)), 20), bitOr(bitShiftLeft(toUInt64(partition), 8), bitAnd(place, 255)))),
  INDEX by_log_offset log_offset TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree(seniority)
ORDER BY (account, action, contact, time, uid)
SETTINGS non_replicated_deduplication_window = 50000;
-- when: SELECT position(engine_full, 'seniority') = 0 AND total_rows > 0 FROM system.tables WHERE database = currentDatabase() AND name = 'activities'
ALTER TABLE activities_by_seniority REPLACE PARTITION tuple() FROM activities;
-- when: SELECT position(engine_full, 'seniority') = 0 FROM system.tables WHERE database = currentDatabase() AND name = 'activities'
EXCHANGE TABLES activities AND activities_by_seniority;
DROP TABLE IF EXISTS activities_by_seniority SETTINGS max_table_size_to_drop = 0;
