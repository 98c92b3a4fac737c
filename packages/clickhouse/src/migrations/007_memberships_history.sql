CREATE TABLE IF NOT EXISTS memberships_history (
  account UInt32,
  list UInt32,
  contact UInt64,
  present UInt8,
  joined_at DateTime64(3, 'UTC'),
  version String,
  at DateTime64(3, 'UTC')
)
ENGINE = ReplacingMergeTree
ORDER BY (account, list, contact, version)
SETTINGS non_replicated_deduplication_window = 50000
