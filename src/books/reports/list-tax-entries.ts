// The entries behind a figure of the tax report.
import { z } from 'zod'
import { notFound } from '../../kernel/basics/fault.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { oneOf, uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import type { TaxCode } from '../taxes/tax-code.ts'
import { listTaxCodesByIds } from '../taxes/tax-code-store.ts'
import { recordedUpTo } from './read-recorded-entry.ts'
import { periodInput, periodOf, recordedInput } from './report-period.ts'
import { presentFigures, sum } from './report-schema.ts'
import { type TaxEntry, taxSections } from './tax-facts.ts'
import { isTaxLine, signOf } from './tax-report.ts'
import { listTaxEntries as listStoredEntries } from './tax-report-store.ts'

const limitMax = 1000
const afterPattern = /^(\d{4}-\d{2}-\d{2})\.(\d{1,18})$/

export const listTaxEntries = defineOperation({
  name: 'list-tax-entries',
  summary: 'List the entries of a tax code in a period',
  kind: 'read',
  input: z.strictObject({
    taxCodeId: uuid(),
    section: oneOf(taxSections).optional(),
    ...periodInput,
    ...recordedInput,
    limit: z.int().min(1).max(limitMax).default(100),
    // The `next` of the page before.
    after: z.string().regex(afterPattern, { error: 'Must be the `next` of a page.' }).optional(),
  }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql }, clock }, actor, input) {
    const organisation = await findOrganisation(sql, actor)
    const period = periodOf(organisation, clock.now(), input)
    const [code] = await listTaxCodesByIds(sql, actor, [input.taxCodeId])
    if (!code) throw notFound('tax code')
    const [, date, sequence] = afterPattern.exec(input.after ?? '') ?? []
    const found = await listStoredEntries(sql, actor, period, {
      upTo: await recordedUpTo(sql, actor, organisation, input.recordedOn),
      taxCodeId: code.id,
      section: input.section,
      after: date && sequence ? { date, sequence: BigInt(sequence) } : undefined,
      limit: input.limit + 1,
    })
    const entries = found.slice(0, input.limit)
    const last = entries.at(-1)
    const currency = organisation.baseCurrency
    return {
      ...period,
      data: {
        currency,
        tax_code: { id: code.id, name: code.name },
        entries: entries.map((entry) => presentEntry(entry, code, currency)),
        next: found.length > entries.length && last ? `${last.date}.${last.sequence}` : null,
      },
    }
  },
})

function presentEntry(entry: TaxEntry, code: TaxCode, currency: string) {
  const { date, sequence, kind, description, section, isWriteOff, sums } = entry
  const sign = signOf(section)
  const of = (isTax: boolean) =>
    sign *
    sum(
      sums
        .filter(
          (one) =>
            isTaxLine({ section, hasText: one.hasText, accountId: one.account }, code) === isTax,
        )
        .map(({ base }) => BigInt(base)),
    )
  return {
    date,
    sequence,
    kind,
    description,
    section,
    is_write_off: isWriteOff,
    ...presentFigures([{ net: of(false), tax: of(true) }], currency),
  }
}
