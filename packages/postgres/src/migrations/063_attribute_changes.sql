-- Which transaction last changed an account's definitions: folds look before each batch, so that a record meets every definition that was there when it was accepted.
CREATE TABLE attribute_changes (
  account int PRIMARY KEY,
  changed_by xid8 NOT NULL
);
CREATE INDEX attribute_changes_by ON attribute_changes (changed_by);
