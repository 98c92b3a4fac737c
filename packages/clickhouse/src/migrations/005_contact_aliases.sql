-- The number of a merged contact and the one that answers for it.
CREATE TABLE IF NOT EXISTS contact_aliases (
  account UInt32,
  contact UInt64,
  survivor UInt64,
  revision UInt64
)
ENGINE = ReplacingMergeTree(revision)
ORDER BY (account, contact)
SETTINGS non_replicated_deduplication_window = 50000
