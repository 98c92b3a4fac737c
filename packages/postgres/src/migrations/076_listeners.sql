-- Actions that orchestrations and webhooks listen for: activities of these are emitted as change events. `holder` is what listens, as `kind:id`.
CREATE TABLE listeners (
  account int NOT NULL,
  action text COLLATE "C" NOT NULL,
  holder text COLLATE "C" NOT NULL,
  PRIMARY KEY (account, action, holder)
);
CREATE INDEX listeners_holder ON listeners (account, holder);
