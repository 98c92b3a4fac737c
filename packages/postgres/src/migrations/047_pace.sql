-- What was granted to senders, by transport and gauge: '' counts all messages, 'd:<domain>' those to a domain, 'm:<message>' those
-- of a message. `state` is JSON text of a bounded number of counts. Times are those of Postgres' own clock.
CREATE TABLE pace (
  account int NOT NULL,
  transport text COLLATE "C" NOT NULL,
  gauge text COLLATE "C" NOT NULL,
  state text NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (account, transport, gauge)
) WITH (fillfactor = 70);
