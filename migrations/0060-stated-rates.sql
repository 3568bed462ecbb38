-- Whether a person entered the rate of a draft. Otherwise it is looked up again when the document
-- is posted. Drafts from before keep the rate that people have seen.
alter table books.documents
  add column fx_rate_stated boolean not null default false;

update books.documents
set fx_rate_stated = true
where posted_at is null
  and voided_at is null
  and fx_rate is not null;
