-- Two counts of the same records that share nothing but the log. `hour` is hours since 1970 of the time the door took a record.
-- What became of records, written by `state` in the transaction of their batch. Rejected and parked ones are rows of their own
-- (rejects) and are counted there. `copies`: records that stood in the log a second time. A partition is in the key, so that
-- batches of one account on several partitions never wait for each other's counts.
CREATE TABLE outcome_counts (
  account int NOT NULL,
  hour int NOT NULL,
  operation text COLLATE "C" NOT NULL,
  topic text COLLATE "C" NOT NULL,
  partition int NOT NULL,
  applied bigint NOT NULL,
  skipped bigint NOT NULL,
  copies bigint NOT NULL,
  PRIMARY KEY (account, hour, operation, topic, partition)
) WITH (fillfactor = 50, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0.05);

-- What the log holds, written by `accounting` with its own offset.
CREATE TABLE log_counts (
  account int NOT NULL,
  hour int NOT NULL,
  operation text COLLATE "C" NOT NULL,
  topic text COLLATE "C" NOT NULL,
  partition int NOT NULL,
  records bigint NOT NULL,
  PRIMARY KEY (account, hour, operation, topic, partition)
) WITH (fillfactor = 50, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0.05);

-- The last batches of it frame by frame, so that both counts can be read at one place of the log; dropped when `state` is past them.
-- `counts`: [[account, hour, operation, records], …]. `frames`: [[offset - first_offset, time - base_time, [[index in counts, records], …]], …].
CREATE TABLE log_batches (
  topic text COLLATE "C" NOT NULL,
  partition int NOT NULL,
  first_offset bigint NOT NULL,
  next_offset bigint NOT NULL,
  base_time bigint NOT NULL,
  records bigint NOT NULL,
  counts json NOT NULL,
  frames json NOT NULL,
  made_at bigint NOT NULL,
  PRIMARY KEY (topic, partition, next_offset)
) WITH (autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_cost_delay = 0);

CREATE INDEX rejects_received ON rejects (account, received_at) INCLUDE (operation, status);

-- An installation that is older begins to count where `state` stands.
INSERT INTO stream_offsets (grp, topic, generation, partition, next_offset, greatest_time, window_from)
SELECT 'accounting', topic, generation, partition, next_offset, greatest_time, next_offset FROM stream_offsets WHERE grp = 'state';
