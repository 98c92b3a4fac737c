-- Identifiers that were taken from contacts: records up to the version mean that contact by it, whoever has the identifier since. So a log that
-- is read again finds whom it found. Rows go with the contact.
CREATE TABLE former_identifiers (
  account int NOT NULL,
  name text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  until uuid NOT NULL,
  contact bigint NOT NULL,
  PRIMARY KEY (account, name, value, until)
);
-- A batch asks first whether there are any above its oldest record: hardly ever.
CREATE INDEX former_identifiers_until ON former_identifiers (until);
CREATE INDEX former_identifiers_contact ON former_identifiers (account, contact);
