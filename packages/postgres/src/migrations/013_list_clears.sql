-- When a list was emptied: a count as of a past moment goes by the last time before it. `lists.cleared_version` is the greatest.
CREATE TABLE list_clears (
  account int NOT NULL,
  list int NOT NULL,
  version uuid NOT NULL,
  PRIMARY KEY (account, list, version)
);
