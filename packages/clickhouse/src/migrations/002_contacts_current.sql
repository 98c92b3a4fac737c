CREATE TABLE IF NOT EXISTS contacts_current (
  account UInt32,
  contact UInt64,
  cid String,
  created_at DateTime64(3, 'UTC'),
  modified_at DateTime64(3, 'UTC'),
  version String,
  merged_into UInt64,
  deleted UInt8,
  revision UInt64
)
ENGINE = ReplacingMergeTree(revision)
ORDER BY (account, contact)
SETTINGS non_replicated_deduplication_window = 50000
