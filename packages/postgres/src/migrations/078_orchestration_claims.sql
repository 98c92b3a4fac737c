-- Nobody else answers a question before then, by the clock of Postgres: an answer may take a minute of the other store.
ALTER TABLE orchestration_questions ADD COLUMN claimed_until bigint NOT NULL DEFAULT 0;
-- A send that is not handed over until then is skipped as `expired`; null for most.
ALTER TABLE sends ADD COLUMN expires_at bigint;
