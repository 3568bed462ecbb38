// The images of QR codes: `<address of the page>.png` and `.svg`. Like the page, they are for
// everybody who has the address, and contain nothing but that address.
import { notFound } from '../../kernel/basics/fault.ts'
import { parseHostedReference } from '../../kernel/basics/hosted-reference.ts'
import type { Page } from '../../kernel/web/page.ts'
import { qrCodeUrl } from '../checkout/page-addresses.ts'
import type { MerchantContext } from '../context.ts'
import { findQrCode } from './qr-code-store.ts'
import type { QrDrawing, QrDrawingRequest } from './qr-drawing.ts'

const contentTypes = { png: 'image/png', svg: 'image/svg+xml; charset=utf-8' } as const

export function qrCodeImagePages(context: MerchantContext, drawing: QrDrawing): Page[] {
  return [imagePage(context, drawing, 'png'), imagePage(context, drawing, 'svg')]
}

function imagePage(
  context: MerchantContext,
  drawing: QrDrawing,
  format: QrDrawingRequest['format'],
): Page {
  return {
    method: 'GET',
    path: `/pay/q/:reference.${format}`,
    hosted: 'costly',
    async handle({ url, signal }) {
      const name = url.pathname.split('/').at(-1) ?? ''
      const hosted = parseHostedReference(name.slice(0, -`.${format}`.length))
      const code = hosted && (await findQrCode(context.database.sql, hosted.tenant, hosted.id))
      if (!hosted || !code) throw notFound('QR code')
      const { tenant } = hosted
      const body = await drawing.draw(
        { url: qrCodeUrl(context.publicUrl, tenant, code.id), format },
        { owner: tenant.businessId, signal },
      )
      const headers = { 'content-type': contentTypes[format], ...imageHeaders }
      return { status: 200, headers, body }
    },
  }
}

// The content of a code never changes. Merchants show it on their own pages.
const imageHeaders = {
  'cache-control': 'public, max-age=86400',
  'cross-origin-resource-policy': 'cross-origin',
}
