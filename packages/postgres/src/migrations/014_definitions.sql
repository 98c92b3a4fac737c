-- Definitions that somebody declared. Those that came up with a write have type `auto` and nothing more.
ALTER TABLE attribute_definitions
  ADD COLUMN name text,
  ADD COLUMN indexed bool NOT NULL DEFAULT false,
  ADD COLUMN is_unique bool NOT NULL DEFAULT false,
  ADD COLUMN validators json,
  ADD COLUMN max_items int,
  ADD COLUMN update_unauthenticated bool NOT NULL DEFAULT false,
  ADD COLUMN retain_on_destroy text,
  ADD COLUMN modified_at bigint;
-- Read with every account; most have few of them among many that came up by themselves.
CREATE INDEX attribute_definitions_declared ON attribute_definitions (account, key) WHERE type <> 'auto';

-- A deleted list keeps its row, so that its id never becomes another list's; `name_key` becomes one that no name has.
ALTER TABLE lists ADD COLUMN deleted_at bigint;

-- Which merges have ended: a clear of a list asks for the few of them that are later than itself.
CREATE INDEX merges_undone ON merges (account, undone_version) WHERE undone_version IS NOT NULL;
