-- Which files of which jobs hold a contact: an erasure deletes those that are kept here and names the others. `contact` is the number as of
-- the export. Rows are written before their file is finished, and again when it is written again.
CREATE TABLE IF NOT EXISTS exported_contacts (
  account UInt32,
  contact UInt64 CODEC(Delta, LZ4),
  job LowCardinality(String),
  file LowCardinality(String),
  day Date MATERIALIZED today()
)
ENGINE = ReplacingMergeTree
ORDER BY (account, contact, job, file)
TTL day + INTERVAL 60 DAY
SETTINGS non_replicated_deduplication_window = 50000
