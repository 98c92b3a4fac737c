-- A contact that is gone keeps its row: `deleted` is 1 for merged contacts too. Counts look for those few by this index.
ALTER TABLE contacts_current ADD INDEX IF NOT EXISTS by_deleted deleted TYPE minmax GRANULARITY 1;
ALTER TABLE contacts_current MATERIALIZE INDEX by_deleted;
