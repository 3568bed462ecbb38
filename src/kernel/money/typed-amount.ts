// An amount as people type it: `1234.5`, `1,234.50`, `1.234,50`, `1 234,50`, `1'234.50`, `₦1,234`,
// `NGN 1,234`. What can be read in two ways is not guessed: `1.005` is never 1005.
import { type Decimal, parseDecimal } from './decimal.ts'

// Undefined if it can't be read. The result may have more decimals than the currency. Where the
// writer divides decimals with a comma, `1.234` is a group and `1,234` has decimals.
export function parseTypedAmount(
  text: string,
  { code, decimals }: { readonly code: string; readonly decimals: number },
  decimalMark: '.' | ',' = '.',
): Decimal | undefined {
  const bare = text
    .trim()
    .replace(new RegExp(`^${code}|${code}$`, 'i'), '')
    .replace(/^\p{Sc}|\p{Sc}$/u, '')
    .trim()
  const plain = withPoint(byMark(withoutGaps(bare), decimalMark, decimals), decimals)
  return plain === undefined ? undefined : parseDecimal(plain.replace(/^0+(?=\d)/, ''))
}

// Blanks and apostrophes between groups of three digits.
function withoutGaps(text: string): string {
  return /^\d{1,3}(?:[\s'’]\d{3})+(?:[.,]\d+)?$/u.test(text) ? text.replaceAll(/[\s'’]/g, '') : text
}

// What can be read in two ways, as this writer means it. With three decimals, a point before three
// digits stays unread: it may be a group of theirs, or decimals that a program wrote.
function byMark(text: string, decimalMark: '.' | ',', decimals: number): string {
  if (decimalMark === '.' || !/^\d{1,3}[.,]\d{3}$/.test(text)) return text
  if (text.includes(',')) return text.replace(',', '.')
  return decimals === 3 ? '' : text.replace('.', '')
}

function withPoint(text: string, decimals: number): string | undefined {
  if (/^\d+(?:\.\d+)?$/.test(text)) return text
  // Groups of three, then the other mark with decimals.
  if (/^\d{1,3}(?:,\d{3})+\.\d+$/.test(text)) return text.replaceAll(',', '')
  if (/^\d{1,3}(?:\.\d{3})+,\d+$/.test(text)) return text.replaceAll('.', '').replace(',', '.')
  // The same mark twice can only divide groups.
  if (/^\d{1,3}(?:,\d{3}){2,}$/.test(text)) return text.replaceAll(',', '')
  if (/^\d{1,3}(?:\.\d{3}){2,}$/.test(text)) return text.replaceAll('.', '')
  // One comma before three digits divides a group, unless the currency has three decimals.
  if (/^\d{1,3},\d{3}$/.test(text)) return decimals === 3 ? undefined : text.replace(',', '')
  return /^\d+,\d{1,2}$/.test(text) ? text.replace(',', '.') : undefined
}
