-- When the definition of an attribute was deleted: values that were written up to `version` are gone. Who asks as of a moment before it
-- still knows the attribute, as `type`.
CREATE TABLE attribute_clears (
  account int NOT NULL,
  key text COLLATE "C" NOT NULL,
  version uuid NOT NULL,
  type text NOT NULL,
  PRIMARY KEY (account, key, version)
);

-- What attributes with `retain_on_destroy` leave of contacts that were erased: how many of them had which value. No contact, no time and
-- no second attribute stands beside it. `value` is JSON text.
CREATE TABLE retained_values (
  account int NOT NULL,
  key text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  contacts bigint NOT NULL,
  PRIMARY KEY (account, key, value)
);
