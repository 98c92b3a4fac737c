-- Merged contacts are `deleted`, too, and some of them stand in every granule: an index of `deleted` passes over none. Counts know
-- merged contacts by their aliases and look for the few others here. The server works it out, for old rows too. The index of before
-- stays: its files may be in the making still, which a drop would let fail for ever.
ALTER TABLE contacts_current ADD COLUMN IF NOT EXISTS erased UInt8 MATERIALIZED deleted = 1 AND merged_into = 0;
ALTER TABLE contacts_current ADD INDEX IF NOT EXISTS by_erased erased TYPE minmax GRANULARITY 1;
ALTER TABLE contacts_current MATERIALIZE COLUMN erased;
ALTER TABLE contacts_current MATERIALIZE INDEX by_erased;
