-- The record from `at` on. An older write that comes late may add fields without raising the version: of one version the greatest revision holds.
CREATE TABLE IF NOT EXISTS supplement_records_history (
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
ORDER BY (account, supplement, id, version)
SETTINGS non_replicated_deduplication_window = 50000
