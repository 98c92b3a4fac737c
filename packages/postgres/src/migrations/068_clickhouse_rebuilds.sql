-- Each time that ClickHouse was made again from Postgres and the log. While one is open nothing is read from ClickHouse. `clearing`: the sinks
-- wait; `replaying`: they write again. `progress` is where the emission of the present state continues.
CREATE TABLE clickhouse_rebuilds (
  epoch int PRIMARY KEY,
  plan json NOT NULL,
  reason text NOT NULL,
  by text NOT NULL,
  phase text NOT NULL DEFAULT 'clearing' CHECK (phase IN ('clearing', 'replaying')),
  progress json NOT NULL DEFAULT '{}',
  begun_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  result json
);
CREATE UNIQUE INDEX clickhouse_rebuilds_open ON clickhouse_rebuilds ((true)) WHERE ended_at IS NULL;

-- Milliseconds since 1970 from which on the history of ClickHouse is complete. Earlier times of a rebuilt store are a hole.
ALTER TABLE clickhouse_witness ADD COLUMN history_from bigint NOT NULL DEFAULT 0;

-- Resolutions stay for as long as the log does, so that its activities can be written again under the same contacts. Earlier versions
-- deleted them when ClickHouse had the rows.
ALTER TABLE handover ADD COLUMN created_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX handover_age ON handover USING brin (created_at);
ALTER TABLE stream_offsets ADD COLUMN resolutions_from bigint NOT NULL DEFAULT 0;
UPDATE stream_offsets SET resolutions_from = next_offset WHERE grp = 'activities';
