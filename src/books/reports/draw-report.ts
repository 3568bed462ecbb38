// Puts the name and brand of the organisation on a report that someone has read, and draws it. Not
// an operation: who may have the file is decided by the operation that read the figures.
import { findBusiness } from '../../kernel/auth/business-store.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { findBrand } from '../../kernel/brand/brand-store.ts'
import type { BooksContext } from '../context.ts'
import { logoOf } from '../documents/build-snapshot.ts'
import { drawReportPdf } from '../documents/pdf/drawing.ts'
import type { PrintedReport } from '../documents/pdf/printed-report.ts'
import { today } from '../settings/organisation.ts'
import { findOrganisation } from '../settings/organisation-store.ts'

export type ReportContent = Pick<PrintedReport, 'title' | 'lead' | 'tables' | 'note' | 'words'> & {
  // The facts of the report, given the day on which it is printed.
  factsOn(day: string): readonly string[]
}

// Thirty pages, which take some seconds to draw. Others wait for the same thread meanwhile.
export const reportRowsMax = 1500

export async function drawReport(
  context: BooksContext,
  tenant: Tenant,
  { factsOn, ...content }: ReportContent,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const rowCount = content.tables.reduce((count, { rows }) => count + rows.length, 0)
  if (rowCount > reportRowsMax) {
    throw new Fault(
      'conflict',
      `A PDF has at most ${reportRowsMax} rows. Choose a shorter period, or download the CSV.`,
    )
  }
  const { sql } = context.database
  const [organisation, brand, business] = await Promise.all([
    findOrganisation(sql, tenant),
    findBrand(sql, tenant.businessId),
    findBusiness(sql, tenant.businessId),
  ])
  const day = today(organisation, context.clock.now())
  const report: PrintedReport = {
    ...content,
    facts: factsOn(day),
    isSandbox: tenant.environment === 'test',
    // The day only: the same report of the same day is the same file, and is drawn once.
    printedAt: `${day}T00:00:00.000Z`,
    organisation: {
      name: organisation.legalName ?? business?.name ?? '',
      address: organisation.address,
      taxNumber: organisation.taxNumber,
      email: null,
    },
    brand: { colour: brand.colour, logo: logoOf(brand) },
  }
  return drawReportPdf(context, tenant, report, { signal })
}
