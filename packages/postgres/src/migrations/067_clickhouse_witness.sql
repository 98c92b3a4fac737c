-- Facts that ClickHouse must confirm before anything is read from it: its identity, created once, and its tables by name with their UUIDs (''
-- where replicas have different ones) as of so many migrations. Until `is_established` ClickHouse is being given the identity.
CREATE TABLE clickhouse_witness (
  id int PRIMARY KEY CHECK (id = 1),
  identity text COLLATE "C",
  is_established boolean NOT NULL DEFAULT false,
  migrations int NOT NULL DEFAULT 0,
  tables json NOT NULL DEFAULT '{}'
);
INSERT INTO clickhouse_witness (id) VALUES (1);

-- Offset up to which a sink has inserted rows into ClickHouse and marked them there. It stays where a range without rows is passed.
ALTER TABLE stream_offsets ADD COLUMN marked_offset bigint NOT NULL DEFAULT 0;
