-- One row per activity, in the order audiences read them. It keeps the contact number it was written with for ever; queries resolve it
-- through contact_aliases. The sorting key ends in `uid` (UID, else the record id), so repeats fold as a second line of defence.
-- The last five columns are the place in the log: a range is counted by them after a crash. No partitions: one insert may hold events
-- of any month since 1970.
CREATE TABLE IF NOT EXISTS activities (
  account UInt32,
  contact UInt64,
  cid String,
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
  INDEX by_log_offset log_offset TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree
ORDER BY (account, action, contact, time, uid)
SETTINGS non_replicated_deduplication_window = 50000
