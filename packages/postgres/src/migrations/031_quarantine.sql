-- Places of the log that a group leaves out for ever: one poison record (or change event) each, or a whole message (place -1). Written
-- before the group writes the rest of the range, so that every replay of it makes the same rows.
CREATE TABLE quarantined (
  grp text COLLATE "C" NOT NULL,
  topic text COLLATE "C" NOT NULL,
  generation int NOT NULL,
  partition int NOT NULL,
  log_offset bigint NOT NULL,
  place int NOT NULL,
  quarantined_at bigint NOT NULL,
  PRIMARY KEY (grp, topic, generation, partition, log_offset, place)
);
CREATE INDEX quarantined_age ON quarantined (quarantined_at);

-- The group behind `state` that could not write what `state` had applied; null for what `state` refused itself. Accounting counts a
-- record of the intake topics once, and no change event.
ALTER TABLE rejects ADD COLUMN quarantined_by text COLLATE "C";
DROP INDEX rejects_received;
CREATE INDEX rejects_received ON rejects (account, received_at) INCLUDE (operation, status, quarantined_by);
