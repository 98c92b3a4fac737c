CREATE TABLE IF NOT EXISTS memberships_current (
  account UInt32,
  list UInt32,
  contact UInt64,
  present UInt8,
  joined_at DateTime64(3, 'UTC'),
  version String,
  revision UInt64
)
ENGINE = ReplacingMergeTree(revision)
ORDER BY (account, list, contact)
SETTINGS non_replicated_deduplication_window = 50000
