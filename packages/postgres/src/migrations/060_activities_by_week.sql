-- ClickHouse writes the activities again, in blocks that count from the beginning: all of them are looked at once more.
UPDATE store_marks SET activities_block = 0;
