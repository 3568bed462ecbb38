// The lines of a document or quote, as the input of a new one.
import type { DocumentLine } from '../../books/documents/document.ts'

export function copyLines(lines: readonly Omit<DocumentLine, 'taxes'>[]) {
  return lines.map((line) => ({
    description: line.description,
    quantity: line.quantity,
    unitPrice: line.unitPrice,
    discountPct: line.discountPct,
    ...(line.itemId !== null && { itemId: line.itemId }),
    ...(line.accountId !== null && { accountId: line.accountId }),
    ...(line.taxCodeId !== null && { taxCodeId: line.taxCodeId }),
  }))
}
