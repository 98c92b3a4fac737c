-- Numbers of an orchestration's runs. They stay when runs are deleted for their age, and cost the same to read for a hundred runs and for a million.
-- `kind` says what `name` is: `state` of runs (of those that wait with `node` and `version`), `edge` that runs took from `node` by the result `edge`
-- to `next` (empty: none), `goal` and `holdout-goal`, `refusal` of contacts, and `skipped` messages by reason.
CREATE TABLE orchestration_counts (
  account int NOT NULL,
  orchestration text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('state', 'edge', 'goal', 'holdout-goal', 'refusal', 'skipped')),
  name text COLLATE "C" NOT NULL,
  version int NOT NULL,
  node text COLLATE "C" NOT NULL,
  edge text COLLATE "C" NOT NULL,
  next text COLLATE "C" NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (account, orchestration, kind, name, version, node, edge, next)
) WITH (fillfactor = 70);
-- What transactions have changed of them since: each adds rows and waits for no other one.
CREATE TABLE orchestration_count_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account int NOT NULL,
  orchestration text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  version int NOT NULL DEFAULT 0,
  node text COLLATE "C" NOT NULL DEFAULT '',
  edge text COLLATE "C" NOT NULL DEFAULT '',
  next text COLLATE "C" NOT NULL DEFAULT '',
  count bigint NOT NULL
) WITH (autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX orchestration_count_changes_orchestration ON orchestration_count_changes (account, orchestration);

INSERT INTO orchestration_counts (account, orchestration, kind, name, version, node, edge, next, count)
  SELECT account, orchestration, 'state', state, CASE state WHEN 'waiting' THEN version ELSE 0 END,
    CASE state WHEN 'waiting' THEN node ELSE '' END, '', '', count(*) FROM orchestration_runs GROUP BY 1, 2, 4, 5, 6
  UNION ALL SELECT account, orchestration, 'edge', '', 0, node, COALESCE(edge, ''), COALESCE(next, ''), count(*)
    FROM orchestration_steps GROUP BY 1, 2, 6, 7, 8
  UNION ALL SELECT account, orchestration, CASE WHEN is_holdout THEN 'holdout-goal' ELSE 'goal' END, name, 0, '', '', '', count(*)
    FROM orchestration_goals GROUP BY 1, 2, 3, 4
  UNION ALL SELECT account, orchestration, 'refusal', reason, 0, '', '', '', count FROM orchestration_refusals
  UNION ALL SELECT account, orchestration, 'skipped', reason, 0, '', '', '', count(*)
    FROM orchestration_sends WHERE reason IS NOT NULL GROUP BY 1, 2, 4;
DROP TABLE orchestration_refusals;

CREATE FUNCTION count_begun_runs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO orchestration_count_changes (account, orchestration, kind, name, version, node, count)
    SELECT account, orchestration, 'state', state, CASE state WHEN 'waiting' THEN version ELSE 0 END,
      CASE state WHEN 'waiting' THEN node ELSE '' END, count(*) FROM now GROUP BY 1, 2, 4, 5, 6;
  RETURN NULL;
END $$;
CREATE FUNCTION count_moved_runs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO orchestration_count_changes (account, orchestration, kind, name, version, node, count)
    SELECT account, orchestration, 'state', state, version, node, sum(runs) FROM (
      SELECT account, orchestration, state, CASE state WHEN 'waiting' THEN version ELSE 0 END AS version,
        CASE state WHEN 'waiting' THEN node ELSE '' END AS node, 1 AS runs FROM now
      UNION ALL SELECT account, orchestration, state, CASE state WHEN 'waiting' THEN version ELSE 0 END,
        CASE state WHEN 'waiting' THEN node ELSE '' END, -1 FROM before) AS moved
    GROUP BY 1, 2, 4, 5, 6 HAVING sum(runs) <> 0;
  RETURN NULL;
END $$;
-- A run that is deleted on its way ends with it, at its node: its contact was erased. What has ended stays counted.
CREATE FUNCTION count_deleted_runs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO orchestration_count_changes (account, orchestration, kind, name, version, node, count)
    SELECT account, orchestration, 'state', state, CASE state WHEN 'waiting' THEN version ELSE 0 END,
      CASE state WHEN 'waiting' THEN node ELSE '' END, -count(*) FROM before WHERE state IN ('entering', 'waiting') GROUP BY 1, 2, 4, 5, 6
    UNION ALL SELECT account, orchestration, 'state', 'exited', 0, '', count(*) FROM before WHERE state = 'waiting' GROUP BY 1, 2
    UNION ALL SELECT account, orchestration, 'edge', '', 0, node, count(*) FROM before WHERE state = 'waiting' GROUP BY 1, 2, 6;
  RETURN NULL;
END $$;
CREATE FUNCTION count_steps() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO orchestration_count_changes (account, orchestration, kind, name, node, edge, next, count)
    SELECT account, orchestration, 'edge', '', node, COALESCE(edge, ''), COALESCE(next, ''), count(*) FROM now GROUP BY 1, 2, 5, 6, 7;
  RETURN NULL;
END $$;
CREATE FUNCTION count_goals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO orchestration_count_changes (account, orchestration, kind, name, count)
    SELECT account, orchestration, CASE WHEN is_holdout THEN 'holdout-goal' ELSE 'goal' END, name, count(*) FROM now GROUP BY 1, 2, 3, 4;
  RETURN NULL;
END $$;
CREATE FUNCTION count_skipped_sends() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO orchestration_count_changes (account, orchestration, kind, name, count)
    SELECT account, orchestration, 'skipped', reason, count(*) FROM now WHERE reason IS NOT NULL GROUP BY 1, 2, 4;
  RETURN NULL;
END $$;
CREATE FUNCTION count_sends_skipped_later() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO orchestration_count_changes (account, orchestration, kind, name, count)
    SELECT account, orchestration, 'skipped', reason, sum(sends) FROM (
      SELECT account, orchestration, reason, 1 AS sends FROM now UNION ALL SELECT account, orchestration, reason, -1 FROM before) AS changed
    WHERE reason IS NOT NULL GROUP BY 1, 2, 4 HAVING sum(sends) <> 0;
  RETURN NULL;
END $$;
CREATE TRIGGER orchestration_runs_begun AFTER INSERT ON orchestration_runs REFERENCING NEW TABLE AS now
  FOR EACH STATEMENT EXECUTE FUNCTION count_begun_runs();
CREATE TRIGGER orchestration_runs_moved AFTER UPDATE ON orchestration_runs REFERENCING OLD TABLE AS before NEW TABLE AS now
  FOR EACH STATEMENT EXECUTE FUNCTION count_moved_runs();
CREATE TRIGGER orchestration_runs_deleted AFTER DELETE ON orchestration_runs REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION count_deleted_runs();
CREATE TRIGGER orchestration_steps_counted AFTER INSERT ON orchestration_steps REFERENCING NEW TABLE AS now
  FOR EACH STATEMENT EXECUTE FUNCTION count_steps();
CREATE TRIGGER orchestration_goals_counted AFTER INSERT ON orchestration_goals REFERENCING NEW TABLE AS now
  FOR EACH STATEMENT EXECUTE FUNCTION count_goals();
CREATE TRIGGER orchestration_sends_counted AFTER INSERT ON orchestration_sends REFERENCING NEW TABLE AS now
  FOR EACH STATEMENT EXECUTE FUNCTION count_skipped_sends();
CREATE TRIGGER orchestration_sends_skipped AFTER UPDATE ON orchestration_sends REFERENCING OLD TABLE AS before NEW TABLE AS now
  FOR EACH STATEMENT EXECUTE FUNCTION count_sends_skipped_later();

-- When a run ended; null while it is on its way. Some time later it is deleted.
ALTER TABLE orchestration_runs ADD COLUMN ended_at bigint;
UPDATE orchestration_runs SET ended_at = (run::json ->> 'at')::bigint WHERE state NOT IN ('entering', 'waiting');
CREATE INDEX orchestration_runs_ended ON orchestration_runs (ended_at) WHERE ended_at IS NOT NULL;
DROP INDEX orchestration_steps_orchestration;
DROP INDEX orchestration_goals_orchestration;
DROP INDEX orchestration_sends_reason;
