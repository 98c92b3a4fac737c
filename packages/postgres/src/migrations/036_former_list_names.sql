-- A list that was deleted keeps the name it had: a count as of a moment before can still name it.
ALTER TABLE lists ADD COLUMN former_key text COLLATE "C";
UPDATE lists SET former_key = lower(name) WHERE deleted_at IS NOT NULL;
CREATE INDEX lists_former ON lists (account, former_key, deleted_at) WHERE former_key IS NOT NULL;
