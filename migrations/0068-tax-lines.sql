-- The tax report reads the lines of a period that name a tax code.
create index journal_lines_of_tax
  on books.journal_lines (business_id, environment, date, sequence)
  where tax_code_id is not null;
