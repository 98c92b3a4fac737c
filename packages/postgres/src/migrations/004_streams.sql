-- One row per consumer group and partition, written with every batch: pages that are nearly empty keep all writes HOT.
CREATE TABLE stream_offsets (
  grp text COLLATE "C" NOT NULL,
  topic text COLLATE "C" NOT NULL,
  generation int NOT NULL,
  partition int NOT NULL,
  next_offset bigint NOT NULL,
  last_record_id text,
  greatest_time bigint NOT NULL DEFAULT 0,
  outbox_position bigint NOT NULL DEFAULT 0,
  window_from bigint NOT NULL DEFAULT 0,
  pending_to bigint,
  pending_token text,
  pending_attempt int,
  pending_transform int,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (grp, topic, generation, partition)
) WITH (fillfactor = 10, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);

-- Verdicts of the activities of a range, 8 bytes little-endian each: contact number, or 0 for left out.
CREATE TABLE handover (
  topic text COLLATE "C" NOT NULL,
  generation int NOT NULL,
  partition int NOT NULL,
  first_offset bigint NOT NULL,
  next_offset bigint NOT NULL,
  verdicts bytea NOT NULL,
  PRIMARY KEY (topic, generation, partition, first_offset)
) WITH (autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_cost_delay = 0);
ALTER TABLE handover ALTER verdicts SET STORAGE EXTERNAL;

-- Account 0 is the bucket of records whose account cannot be known (undecodable ones).
CREATE TABLE rejects (
  account int NOT NULL,
  record_id text COLLATE "C" NOT NULL,
  request_id text COLLATE "C" NOT NULL,
  operation text NOT NULL,
  topic text COLLATE "C" NOT NULL,
  partition int NOT NULL,
  log_offset bigint NOT NULL,
  place int NOT NULL,
  item_index int NOT NULL,
  status text NOT NULL CHECK (status IN ('open', 'parked', 'applied', 'skipped', 'redriven', 'discarded')),
  code text NOT NULL,
  path text NOT NULL,
  message text NOT NULL,
  payload json NOT NULL,
  version uuid NOT NULL,
  received_at bigint NOT NULL,
  rejected_at bigint NOT NULL,
  attempts int NOT NULL DEFAULT 0,
  due_at bigint,
  history jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (account, record_id)
) WITH (fillfactor = 90);
CREATE INDEX rejects_request ON rejects (account, request_id);
CREATE INDEX rejects_due ON rejects (due_at) WHERE status = 'parked';
CREATE INDEX rejects_log ON rejects (topic, partition, log_offset);

CREATE TABLE receipt_counts (
  account int NOT NULL,
  request_id text COLLATE "C" NOT NULL,
  topic text COLLATE "C" NOT NULL,
  partition int NOT NULL,
  log_offset bigint NOT NULL,
  skips json NOT NULL,
  warnings json NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account, request_id, topic, partition, log_offset)
);

-- Only for keyed and redriven records, kept 72 h.
CREATE TABLE applied_records (
  account int NOT NULL,
  record_id text COLLATE "C" NOT NULL,
  applied_at bigint NOT NULL,
  PRIMARY KEY (account, record_id)
);
CREATE INDEX applied_records_age ON applied_records USING brin (applied_at);
