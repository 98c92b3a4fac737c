-- Recent sends of batch messages that are being sent, one letter each, by which a message pauses itself.
CREATE TABLE message_health (
  account int NOT NULL,
  message text COLLATE "C" NOT NULL,
  -- The first renders since it began or went on: `.` made, `f` failed.
  renders text NOT NULL,
  -- The last answers: `.` taken or refused, `p` refused by policy, `t` wrong on our side, `d` so without a doubt.
  answers text NOT NULL,
  PRIMARY KEY (account, message),
  FOREIGN KEY (account, message) REFERENCES batch_messages (account, id) ON DELETE CASCADE
) WITH (fillfactor = 70);
