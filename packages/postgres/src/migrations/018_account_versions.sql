-- Counts the writes of an account's document, so that one who changes it can say which one he saw. A hash of it would tell of secrets.
ALTER TABLE intake.accounts ADD COLUMN version bigint NOT NULL DEFAULT 1;
