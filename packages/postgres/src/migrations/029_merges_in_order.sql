-- Merges are undone in the order in which they were made, which is not that of their versions: a record that comes late has an older one.
-- Merges of before have no number; they are older than all that have one.
CREATE SEQUENCE merges_applied;
ALTER TABLE merges ADD COLUMN applied bigint;
ALTER TABLE merges ALTER COLUMN applied SET DEFAULT nextval('merges_applied');
ALTER SEQUENCE merges_applied OWNED BY merges.applied;
