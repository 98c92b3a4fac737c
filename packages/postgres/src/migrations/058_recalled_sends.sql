-- Sends that wait for a rate or for quiet hours know when they were held, by Postgres' clock; null while they do not.
ALTER TABLE sends ADD COLUMN held_at bigint;

-- Accounts whose rates or quiet hours were changed: a sender makes what was held before `at` (Postgres' clock) due at once, so that it asks
-- the new ones. A row goes once all of them are.
CREATE TABLE send_recalls (
  account int NOT NULL,
  reason text COLLATE "C" NOT NULL CHECK (reason IN ('rate', 'quiet-hours')),
  at bigint NOT NULL,
  PRIMARY KEY (account, reason)
);
