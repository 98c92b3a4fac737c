-- Marks of transactions that made intents of sends. A sender publishes each to Kafka before the first byte leaves; a Postgres that lacks one
-- that was published has lost its last transactions. `n` alone would be given out again after a loss.
CREATE TABLE intent_marks (
  n bigint GENERATED ALWAYS AS IDENTITY,
  token text COLLATE "C" NOT NULL DEFAULT gen_random_uuid()::text,
  PRIMARY KEY (n, token)
) WITH (autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0.05);
