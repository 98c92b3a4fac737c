-- Proves which ClickHouse this is and how far it was written. Postgres stores the same identity and offsets, so an empty, replaced or older
-- copy is noticed. The row with an empty `stream` is the identity; the others hold, by group, topic, generation and partition, the offset
-- up to which all rows of the stream are stored. Every other table has a row of account 0, so that an emptied table is noticed as well.
CREATE TABLE IF NOT EXISTS confirmed_marks (
  identity String,
  stream String,
  mark UInt64
)
ENGINE = ReplacingMergeTree(mark)
ORDER BY (identity, stream)
SETTINGS non_replicated_deduplication_window = 50000
