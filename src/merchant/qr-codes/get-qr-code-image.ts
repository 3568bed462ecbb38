// The images of QR codes: `<address of the page>.png` and `.svg`. They are for everybody who has
// the address, as the page is, and say nothing but that address.
import { toBuffer, toString as toSvg } from 'qrcode'
import { notFound } from '../../kernel/basics/fault.ts'
import { parseHostedReference } from '../../kernel/basics/hosted-reference.ts'
import type { Page, PageAnswer } from '../../kernel/web/page.ts'
import { qrCodeUrl } from '../checkout/page-addresses.ts'
import type { MerchantContext } from '../context.ts'
import { findQrCode } from './qr-code-store.ts'

// A code survives a scratch over 15 % of it and stays coarse enough for a cheap camera; the white
// frame is the four modules that the standard demands.
const quality = { errorCorrectionLevel: 'M', margin: 4 } as const
// About 540 pixels wide: sharp on a phone's screen. Whoever prints it large takes the SVG.
const pngPixelsPerModule = 12

export function qrCodeImagePages(context: MerchantContext): Page[] {
  return [
    imagePage(context, 'png', async (url) => ({
      headers: { 'content-type': 'image/png' },
      body: await toBuffer(url, { ...quality, type: 'png', scale: pngPixelsPerModule }),
    })),
    imagePage(context, 'svg', async (url) => ({
      headers: { 'content-type': 'image/svg+xml; charset=utf-8' },
      body: await toSvg(url, { ...quality, type: 'svg' }),
    })),
  ]
}

function imagePage(
  context: MerchantContext,
  ending: 'png' | 'svg',
  draw: (url: string) => Promise<Pick<PageAnswer, 'headers' | 'body'>>,
): Page {
  return {
    method: 'GET',
    path: `/pay/q/:reference.${ending}`,
    async handle({ url }) {
      const name = url.pathname.split('/').at(-1) ?? ''
      const hosted = parseHostedReference(name.slice(0, -`.${ending}`.length))
      const code = hosted && (await findQrCode(context.database.sql, hosted.tenant, hosted.id))
      if (!hosted || !code) throw notFound('QR code')
      const image = await draw(qrCodeUrl(context.publicUrl, hosted.tenant, code.id))
      return { ...image, status: 200, headers: { ...image.headers, ...imageHeaders } }
    },
  }
}

// What a code says never changes. Merchants show it in pages of their own.
const imageHeaders = {
  'cache-control': 'public, max-age=86400',
  'cross-origin-resource-policy': 'cross-origin',
}
