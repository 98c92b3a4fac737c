-- The week comes before the contact: a window reads its own weeks. ClickHouse finds them from a condition on `time` alone, but only while no
-- column of the key is `time` itself; so its milliseconds stand there, which order and fold rows as `time` did. `by_contact` finds the
-- rows of one contact, which stand together in each week alone.
-- A key cannot be altered: all rows are written again, in steps of a million. Stop projectors and workers, and have room on the disk for
-- the table twice. Whatever ends the migration, it goes on where it was; a step that is done twice leaves repeats, which fold.
CREATE TABLE IF NOT EXISTS activities_copied (
  part String,
  first UInt64,
  mutations Array(String)
)
ENGINE = ReplacingMergeTree
ORDER BY (part, first);
-- Rows that came or went since the copy was begun: it begins again.
-- when: SELECT (SELECT position(sorting_key, 'toYearWeek') = 0 FROM system.tables WHERE database = currentDatabase() AND name = 'activities') AND (SELECT count() > 0 FROM activities_copied WHERE part = '' AND (first != (SELECT max(max_block_number) FROM system.parts WHERE database = currentDatabase() AND table = 'activities' AND active) OR NOT hasAll(mutations, (SELECT groupArray(mutation_id) FROM system.mutations WHERE database = currentDatabase() AND table = 'activities'))))
DROP TABLE IF EXISTS activities_by_week SETTINGS max_table_size_to_drop = 0;
-- when: SELECT (SELECT position(sorting_key, 'toYearWeek') = 0 FROM system.tables WHERE database = currentDatabase() AND name = 'activities') AND (SELECT count() > 0 FROM activities_copied WHERE part = '' AND (first != (SELECT max(max_block_number) FROM system.parts WHERE database = currentDatabase() AND table = 'activities' AND active) OR NOT hasAll(mutations, (SELECT groupArray(mutation_id) FROM system.mutations WHERE database = currentDatabase() AND table = 'activities'))))
DROP TABLE IF EXISTS activities_frozen SETTINGS max_table_size_to_drop = 0;
-- when: SELECT (SELECT position(sorting_key, 'toYearWeek') = 0 FROM system.tables WHERE database = currentDatabase() AND name = 'activities') AND (SELECT count() > 0 FROM activities_copied WHERE part = '' AND (first != (SELECT max(max_block_number) FROM system.parts WHERE database = currentDatabase() AND table = 'activities' AND active) OR NOT hasAll(mutations, (SELECT groupArray(mutation_id) FROM system.mutations WHERE database = currentDatabase() AND table = 'activities'))))
DROP TABLE IF EXISTS activities_copied;
CREATE TABLE IF NOT EXISTS activities_copied (
  part String,
  first UInt64,
  mutations Array(String)
)
ENGINE = ReplacingMergeTree
ORDER BY (part, first);
-- when: SELECT (SELECT position(sorting_key, 'toYearWeek') = 0 FROM system.tables WHERE database = currentDatabase() AND name = 'activities')
CREATE TABLE IF NOT EXISTS activities_by_week (
  account UInt32,
  contact UInt64 CODEC(Delta, LZ4),
  action LowCardinality(String),
  time DateTime64(3, 'UTC'),
  ingested DateTime64(3, 'UTC'),
  uid String,
  record String,
  mc_id String,
  properties String,
  geo_city String,
  geo_country LowCardinality(String),
  geo_lat Nullable(Float64),
  geo_lon Nullable(Float64),
  device String,
  topic_generation UInt16,
  lane UInt8,
  partition UInt16,
  log_offset UInt64,
  place UInt16,
  seniority UInt64 MATERIALIZED bitNot(bitOr(bitShiftLeft(toUInt64(toUnixTimestamp64Milli(ingested)), 20), bitOr(bitShiftLeft(toUInt64(partition), 8), bitAnd(place, 255)))),
  message LowCardinality(String) MATERIALIZED if(mc_id = '', '', extractGroups(mc_id, '^([^:]+):([\\s\\S]+?)(?::(d[0-9]{6}|h[0-9]{8}))?:([^:]+):([^:]+):([^:]+)$')[2]),
  message_period LowCardinality(String) MATERIALIZED if(mc_id = '', '', extractGroups(mc_id, '^([^:]+):([\\s\\S]+?)(?::(d[0-9]{6}|h[0-9]{8}))?:([^:]+):([^:]+):([^:]+)$')[3]),
  message_type LowCardinality(String) MATERIALIZED if(mc_id = '', '', extractGroups(mc_id, '^([^:]+):([\\s\\S]+?)(?::(d[0-9]{6}|h[0-9]{8}))?:([^:]+):([^:]+):([^:]+)$')[4]),
  INDEX by_log_offset log_offset TYPE minmax GRANULARITY 1,
  INDEX by_contact contact TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ReplacingMergeTree(seniority)
ORDER BY (account, action, toYearWeek(time, 3), contact, toUnixTimestamp64Milli(time), uid)
SETTINGS non_replicated_deduplication_window = 50000;
-- The same parts under names that stay: nothing is merged here.
-- when: SELECT (SELECT position(sorting_key, 'toYearWeek') = 0 FROM system.tables WHERE database = currentDatabase() AND name = 'activities')
CREATE TABLE IF NOT EXISTS activities_frozen (
  account UInt32,
  contact UInt64 CODEC(Delta, LZ4),
  action LowCardinality(String),
  time DateTime64(3, 'UTC'),
  ingested DateTime64(3, 'UTC'),
  uid String,
  record String,
  mc_id String,
  properties String,
  geo_city String,
  geo_country LowCardinality(String),
  geo_lat Nullable(Float64),
  geo_lon Nullable(Float64),
  device String,
  topic_generation UInt16,
  lane UInt8,
  partition UInt16,
  log_offset UInt64,
  place UInt16,
  seniority UInt64 MATERIALIZED bitNot(bitOr(bitShiftLeft(toUInt64(toUnixTimestamp64Milli(ingested)), 20), bitOr(bitShiftLeft(toUInt64(partition), 8), bitAnd(place, 255)))),
  message LowCardinality(String) MATERIALIZED if(mc_id = '', '', extractGroups(mc_id, '^([^:]+):([\\s\\S]+?)(?::(d[0-9]{6}|h[0-9]{8}))?:([^:]+):([^:]+):([^:]+)$')[2]),
  message_period LowCardinality(String) MATERIALIZED if(mc_id = '', '', extractGroups(mc_id, '^([^:]+):([\\s\\S]+?)(?::(d[0-9]{6}|h[0-9]{8}))?:([^:]+):([^:]+):([^:]+)$')[3]),
  message_type LowCardinality(String) MATERIALIZED if(mc_id = '', '', extractGroups(mc_id, '^([^:]+):([\\s\\S]+?)(?::(d[0-9]{6}|h[0-9]{8}))?:([^:]+):([^:]+):([^:]+)$')[4]),
  INDEX by_log_offset log_offset TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree(seniority)
ORDER BY (account, action, contact, time, uid)
SETTINGS max_bytes_to_merge_at_max_space_in_pool = 1, max_bytes_to_merge_at_min_space_in_pool = 1;
-- The last block and the mutations of now tell later whether rows came or went.
-- when: SELECT (SELECT position(sorting_key, 'toYearWeek') = 0 FROM system.tables WHERE database = currentDatabase() AND name = 'activities') AND NOT (SELECT count() > 0 FROM activities_copied WHERE part = '') AND throwIf((SELECT position(sorting_key, 'toYearWeek') = 0 FROM system.tables WHERE database = currentDatabase() AND name = 'activities') AND (SELECT count() > 0 FROM system.mutations WHERE database = currentDatabase() AND table = 'activities' AND NOT is_done AND position(command, '_row_exists') > 0), 'rows of activities are being deleted: migrate again in a minute') = 0
INSERT INTO activities_copied (part, first, mutations)
SELECT '', (SELECT max(max_block_number) FROM system.parts WHERE database = currentDatabase() AND table = 'activities' AND active), (SELECT groupArray(mutation_id) FROM system.mutations WHERE database = currentDatabase() AND table = 'activities');
-- when: SELECT (SELECT position(sorting_key, 'toYearWeek') = 0 FROM system.tables WHERE database = currentDatabase() AND name = 'activities') AND (SELECT count() = 0 FROM activities_copied WHERE part != '') AND (SELECT total_rows > 0 FROM system.tables WHERE database = currentDatabase() AND name = 'activities')
ALTER TABLE activities_frozen REPLACE PARTITION tuple() FROM activities;
-- when: SELECT (SELECT position(sorting_key, 'toYearWeek') = 0 FROM system.tables WHERE database = currentDatabase() AND name = 'activities')
-- each: SELECT part, first, first + 1000000 AS last FROM (SELECT name AS part, toUInt64(arrayJoin(range(0, rows, 1000000))) AS first FROM system.parts WHERE database = currentDatabase() AND table = 'activities_frozen' AND active) WHERE (part, first) NOT IN (SELECT part, first FROM activities_copied) ORDER BY part, first LIMIT 1
-- done: INSERT INTO activities_copied (part, first) SELECT {part: String}, {first: UInt64} WHERE {part: String} IN (SELECT name FROM system.parts WHERE database = currentDatabase() AND table = 'activities_frozen' AND active)
INSERT INTO activities_by_week (account, contact, action, time, ingested, uid, record, mc_id, properties, geo_city,
  geo_country, geo_lat, geo_lon, device, topic_generation, lane, partition, log_offset, place)
SELECT account, contact, action, time, ingested, uid, record, mc_id, properties, geo_city,
  geo_country, geo_lat, geo_lon, device, topic_generation, lane, partition, log_offset, place
FROM activities_frozen WHERE _part = {part: String} AND _part_offset >= {first: UInt64} AND _part_offset < {last: UInt64}
SETTINGS max_threads = 1, max_insert_threads = 1;
-- when: SELECT (SELECT position(sorting_key, 'toYearWeek') = 0 FROM system.tables WHERE database = currentDatabase() AND name = 'activities') AND throwIf((SELECT position(sorting_key, 'toYearWeek') = 0 FROM system.tables WHERE database = currentDatabase() AND name = 'activities') AND ((SELECT count() > 0 FROM activities_copied WHERE part = '' AND (first != (SELECT max(max_block_number) FROM system.parts WHERE database = currentDatabase() AND table = 'activities' AND active) OR NOT hasAll(mutations, (SELECT groupArray(mutation_id) FROM system.mutations WHERE database = currentDatabase() AND table = 'activities')))) OR NOT (SELECT count() > 0 FROM activities_copied WHERE part = '') OR ((SELECT count() = 0 FROM activities_copied WHERE part != '') AND (SELECT total_rows > 0 FROM system.tables WHERE database = currentDatabase() AND name = 'activities'))), 'activities changed while they were copied: stop projectors and workers, then migrate again') = 0
EXCHANGE TABLES activities AND activities_by_week;
DROP TABLE IF EXISTS activities_by_week SETTINGS max_table_size_to_drop = 0;
DROP TABLE IF EXISTS activities_frozen SETTINGS max_table_size_to_drop = 0;
DROP TABLE IF EXISTS activities_copied;
