-- `contact` is 0 where the record belongs to none. `document` is the record with its id, removed fields left out.
CREATE TABLE IF NOT EXISTS supplement_records_current (
  account UInt32,
  supplement UInt32,
  id String,
  contact UInt64,
  created_at DateTime64(3, 'UTC'),
  modified_at DateTime64(3, 'UTC'),
  document String,
  deleted UInt8,
  version String,
  at DateTime64(3, 'UTC'),
  revision UInt64
)
ENGINE = ReplacingMergeTree(revision)
ORDER BY (account, supplement, id)
SETTINGS non_replicated_deduplication_window = 50000
