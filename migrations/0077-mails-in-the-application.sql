-- What a mail is about, for the list of mails in the application. Earlier ones don't say.
alter table kernel.mails
  add column kind text not null default 'other';
