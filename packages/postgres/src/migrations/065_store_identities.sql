-- Transaction numbers as the outbox orders by them. Another cluster counts from low numbers again: `headwater stores adopt postgres` then replaces
-- this function by one that adds an epoch of 2^32, so that numbers never fall. Statements inline it.
CREATE FUNCTION outbox_xid(counted xid8) RETURNS xid8 LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT counted';
ALTER TABLE outbox ALTER xid SET DEFAULT outbox_xid(pg_current_xact_id());

-- Clusters that this data has lived in; the last one is the present one. A dump takes the rows along, and so shows where it comes from.
-- `database` is null for a cluster that only Kafka names.
CREATE TABLE store_identities (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  system_identifier text COLLATE "C" NOT NULL,
  database bigint,
  xid_base bigint NOT NULL,
  recorded_at timestamptz NOT NULL DEFAULT now()
);

-- The next transaction number at the time of the mark: no later one is lower in the same cluster.
ALTER TABLE relay_progress ADD horizon xid8 NOT NULL DEFAULT '0';
