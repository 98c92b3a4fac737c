-- A retry of sends that have failed or are unknown. `retry` is the job that asked last, `retried_from` the state that it found, and
-- `attempts_before` counts the attempts before it: pauses between attempts begin anew, their numbers go on.
ALTER TABLE sends ADD COLUMN retry text COLLATE "C";
ALTER TABLE sends ADD COLUMN retried_from text COLLATE "C";
ALTER TABLE sends ADD COLUMN attempts_before int NOT NULL DEFAULT 0;
CREATE INDEX sends_retry ON sends (account, message, retry) WHERE retry IS NOT NULL;
