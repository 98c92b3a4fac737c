-- `text`: strings as they are, all else as JSON text. `number`: numbers and numeric strings.
CREATE TABLE IF NOT EXISTS contact_fields_current (
  account UInt32,
  field LowCardinality(String),
  contact UInt64,
  kind Enum8('removed' = 0, 'string' = 1, 'number' = 2, 'boolean' = 3, 'array' = 4, 'object' = 5),
  text String,
  number Nullable(Float64),
  version String,
  revision UInt64
)
ENGINE = ReplacingMergeTree(revision)
ORDER BY (account, field, contact)
SETTINGS non_replicated_deduplication_window = 50000
