-- Who had which value from when: `at` is the time of `version`.
CREATE TABLE IF NOT EXISTS contact_fields_history (
  account UInt32,
  field LowCardinality(String),
  contact UInt64,
  kind Enum8('removed' = 0, 'string' = 1, 'number' = 2, 'boolean' = 3, 'array' = 4, 'object' = 5),
  text String,
  number Nullable(Float64),
  version String,
  at DateTime64(3, 'UTC')
)
ENGINE = ReplacingMergeTree
ORDER BY (account, field, contact, version)
SETTINGS non_replicated_deduplication_window = 50000
