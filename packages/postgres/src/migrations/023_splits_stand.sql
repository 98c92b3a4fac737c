-- A contact that a split took out of another remembers it in its document: records of before do not merge it once more. Those of the
-- merges that were undone until now.
UPDATE contacts c
  SET doc = left(c.doc, -1) || ',"apart":' || json_build_object('since', replace(m.version::text, '-', ''), 'undone', m.by_record) || '}'
  FROM (
    SELECT DISTINCT ON (account, merged) account, merged, undone_version AS version, by_record
    FROM merges WHERE undone_version IS NOT NULL ORDER BY account, merged, undone_version DESC
  ) m
  WHERE c.account = m.account AND c.number = m.merged AND c.merged_into IS NULL;
