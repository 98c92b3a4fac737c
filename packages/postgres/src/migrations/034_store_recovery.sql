-- Up to which block of ClickHouse's activities all rows were seen to lie below the stored offsets: a later check looks at newer parts only.
-- A store that went back has an older mark, and looks at more.
CREATE TABLE store_marks (
  id int PRIMARY KEY CHECK (id = 1),
  activities_block bigint NOT NULL
);
INSERT INTO store_marks (id, activities_block) VALUES (1, 0);

-- Each time that this store lost transactions which others had seen, and an operator went on from there. While one is open, no process
-- uses the store. `plan` is what was found before anything was withdrawn, so that a recovery that was broken off can be ended.
CREATE TABLE store_recoveries (
  epoch int PRIMARY KEY,
  plan json NOT NULL,
  reason text NOT NULL,
  by text NOT NULL,
  begun_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  result json
);
CREATE UNIQUE INDEX store_recoveries_open ON store_recoveries ((true)) WHERE ended_at IS NULL;

-- Messages of change topics that no reader applies: their transactions are lost, or they are published once more.
CREATE TABLE withdrawn_changes (
  topic text COLLATE "C" NOT NULL,
  partition int NOT NULL,
  from_offset bigint NOT NULL,
  to_offset bigint NOT NULL,
  PRIMARY KEY (topic, partition, from_offset)
);
