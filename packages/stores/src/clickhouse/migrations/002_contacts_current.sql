-- A contact that is gone keeps its row: `deleted` is 1 for merged contacts too. Counts look for those few by the index.
CREATE TABLE IF NOT EXISTS contacts_current (
  account UInt32,
  contact UInt64 CODEC(Delta, LZ4),
  cid String,
  created_at DateTime64(3, 'UTC'),
  modified_at DateTime64(3, 'UTC'),
  version String,
  merged_into UInt64,
  deleted UInt8,
  revision UInt64,
  INDEX by_deleted deleted TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree(revision)
ORDER BY (account, contact)
SETTINGS non_replicated_deduplication_window = 50000
