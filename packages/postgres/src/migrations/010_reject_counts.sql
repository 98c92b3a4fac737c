-- How many refused records there are of each cause: a million of them are not counted at every look. A row for each partition, for a
-- batch of one partition must not wait for that of another. Kept by triggers, so that no writer can forget it.
CREATE TABLE reject_counts (
  account int NOT NULL,
  status text COLLATE "C" NOT NULL,
  code text COLLATE "C" NOT NULL,
  operation text COLLATE "C" NOT NULL,
  topic text COLLATE "C" NOT NULL,
  partition int NOT NULL,
  records bigint NOT NULL,
  PRIMARY KEY (account, status, code, operation, topic, partition)
) WITH (fillfactor = 50, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0.05);

INSERT INTO reject_counts (account, status, code, operation, topic, partition, records)
SELECT account, status, code, operation, topic, partition, count(*) FROM rejects GROUP BY account, status, code, operation, topic, partition;

-- Rows are written in order of their key: two statements that meet wait for each other in one direction.
CREATE FUNCTION count_made_rejects() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO reject_counts AS c (account, status, code, operation, topic, partition, records)
  SELECT account, status, code, operation, topic, partition, count(*) FROM made
  GROUP BY account, status, code, operation, topic, partition ORDER BY account, status, code, operation, topic, partition
  ON CONFLICT (account, status, code, operation, topic, partition) DO UPDATE SET records = c.records + EXCLUDED.records;
  RETURN NULL;
END $$;

CREATE FUNCTION count_changed_rejects() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO reject_counts AS c (account, status, code, operation, topic, partition, records)
  SELECT account, status, code, operation, topic, partition, sum(n) FROM (
    SELECT account, status, code, operation, topic, partition, 1 AS n FROM made
    UNION ALL SELECT account, status, code, operation, topic, partition, -1 FROM gone) changed
  GROUP BY account, status, code, operation, topic, partition HAVING sum(n) <> 0
  ORDER BY account, status, code, operation, topic, partition
  ON CONFLICT (account, status, code, operation, topic, partition) DO UPDATE SET records = c.records + EXCLUDED.records;
  RETURN NULL;
END $$;

CREATE FUNCTION count_gone_rejects() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO reject_counts AS c (account, status, code, operation, topic, partition, records)
  SELECT account, status, code, operation, topic, partition, -count(*) FROM gone
  GROUP BY account, status, code, operation, topic, partition ORDER BY account, status, code, operation, topic, partition
  ON CONFLICT (account, status, code, operation, topic, partition) DO UPDATE SET records = c.records + EXCLUDED.records;
  RETURN NULL;
END $$;

CREATE TRIGGER rejects_made AFTER INSERT ON rejects REFERENCING NEW TABLE AS made
  FOR EACH STATEMENT EXECUTE FUNCTION count_made_rejects();
CREATE TRIGGER rejects_changed AFTER UPDATE ON rejects REFERENCING NEW TABLE AS made OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION count_changed_rejects();
CREATE TRIGGER rejects_gone AFTER DELETE ON rejects REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION count_gone_rejects();
