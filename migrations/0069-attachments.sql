-- Files that belong to a document, such as the scan of a bill. The content is encrypted and in a
-- table of its own, so that lists don't read it.
create table books.attachments (
  business_id uuid not null,
  environment text not null,
  id uuid not null,
  document_id uuid not null,
  file_name text not null,
  content_type text not null,
  byte_count integer not null,
  sha256 bytea not null,
  added_by_kind text not null,
  added_by text not null,
  added_at timestamptz not null,
  -- The row of a removed file stays; its content is deleted.
  removed_at timestamptz,
  primary key (business_id, environment, id),
  foreign key (business_id, environment, document_id)
    references books.documents (business_id, environment, id),
  constraint attachments_name check (length(file_name) between 1 and 100),
  constraint attachments_type
    check (content_type in ('application/pdf', 'image/png', 'image/jpeg')),
  constraint attachments_size check (byte_count > 0),
  constraint attachments_hash check (length(sha256) = 32)
);

create index attachments_by_document
  on books.attachments (business_id, environment, document_id, added_at, id);

create table books.attachment_contents (
  business_id uuid not null,
  environment text not null,
  id uuid not null,
  content_sealed bytea not null,
  primary key (business_id, environment, id),
  foreign key (business_id, environment, id)
    references books.attachments (business_id, environment, id)
);
