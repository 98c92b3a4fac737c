CREATE SEQUENCE outbox_positions;

-- Read in order of (xid, position), bounded by the oldest transaction still running: so a row that commits late is never passed by.
-- The key is that order, and the only index: every batch writes here.
CREATE TABLE outbox (
  position bigint NOT NULL,
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  topic text COLLATE "C" NOT NULL,
  source_partition int NOT NULL,
  payload text NOT NULL,
  PRIMARY KEY (xid, position)
) WITH (
  autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_cost_delay = 0,
  toast.autovacuum_vacuum_threshold = 2000, toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_cost_delay = 0
);
ALTER TABLE outbox ALTER payload SET STORAGE EXTERNAL;

CREATE TABLE relay_progress (
  id int PRIMARY KEY CHECK (id = 1),
  xid xid8 NOT NULL,
  position bigint NOT NULL,
  offsets json NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 10, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);
INSERT INTO relay_progress (id, xid, position, offsets) VALUES (1, '0', 0, '{}');
