// The triggers that refuse what the application never does: an entry that is not balanced, a change
// of what is in the books. Citus accepts triggers only when told to, and `cli distribute` takes
// them off for a while, so every start checks that they are there. On a distributed database a
// trigger looks rows up by their whole key and never joins the changed rows of a statement with
// another table. A new trigger that does so gets a line here.
export const guards: ReadonlyMap<string, readonly string[]> = new Map([
  ['books.document_files', ['document_files_are_not_truncated', 'document_files_stay']],
  [
    'books.document_lines',
    [
      ...['document_lines_are_not_added', 'document_lines_are_not_changed'],
      'document_lines_are_not_removed',
    ],
  ],
  ['books.documents', ['documents_keep_their_money']],
  [
    'books.journal_entries',
    [...['journal_entries_are_not_truncated', 'journal_entries_are_whole'], 'journal_entries_stay'],
  ],
  [
    'books.journal_lines',
    ['journal_lines_are_balanced', 'journal_lines_are_not_truncated', 'journal_lines_stay'],
  ],
  ['books.organisations', ['hard_lock_moves_forward']],
  ['kernel.audit_log', ['audit_log_append_only', 'audit_log_no_truncate']],
  ['kernel.ledger_entries', ['ledger_entries_are_append_only', 'ledger_entries_have_lines']],
  ['kernel.ledger_lines', ['ledger_lines_are_append_only', 'ledger_lines_are_balanced']],
  ['merchant.payments', ['payments_follow_their_life']],
])
