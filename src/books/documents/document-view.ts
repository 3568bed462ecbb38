// The views of the lists of documents: `to_send` is approved or issued, but not sent; `open` is in
// the books, with something due; `overdue` is open and past its due date.
export const documentViews = [
  'draft',
  'awaiting_approval',
  'to_send',
  'open',
  'overdue',
  'paid',
  'void',
] as const
export type DocumentView = (typeof documentViews)[number]
