// Pages for visitors who have an address instead of a key or a session.
import type { FastifyInstance } from 'fastify'
import { quotePages } from '../books/quotes/quote-pages.tsx'
import { invoiceOffers } from '../bridge/invoice-offers.ts'
import { invoicePages } from '../bridge/invoice-pages.ts'
import { payerFacts } from '../bridge/payer-facts.ts'
import { receiptFiles } from '../bridge/receipt-files.ts'
import type { RateLimiter } from '../kernel/http/rate-limit.ts'
import { brandPages } from '../kernel/web/brand-pages.ts'
import type { Page } from '../kernel/web/page.ts'
import { checkoutPages } from '../merchant/checkout/checkout-pages.tsx'
import type { MerchantContext } from '../merchant/context.ts'
import { qrCodeImagePages } from '../merchant/qr-codes/get-qr-code-image.ts'
import { createQrDrawing } from '../merchant/qr-codes/qr-drawing.ts'
import { receiptPages } from '../merchant/receipts/receipt-pages.tsx'
import { subscriberPages } from '../merchant/subscriber-pages/subscriber-pages.tsx'
import { verificationPages } from '../merchant/verification/verification-pages.tsx'

export function hostedPages(
  fastify: FastifyInstance,
  context: MerchantContext,
  limiter: RateLimiter,
): Page[] {
  const qrDrawing = createQrDrawing(context)
  fastify.addHook('onClose', () => qrDrawing.close())
  // Once a minute for each payment that has ended.
  const mayAskAgain = async (id: string) => (await limiter.take(`return ${id}`, 1)).allowed
  const facts = { ...payerFacts(context), mayAskAgain, invoices: invoiceOffers(context) }
  return [
    ...qrCodeImagePages(context, qrDrawing),
    ...checkoutPages(context, facts),
    ...receiptPages(context, facts, receiptFiles(context)),
    ...subscriberPages(context, facts),
    ...invoicePages(context),
    ...verificationPages(context),
    ...quotePages(context),
    ...brandPages(context),
  ]
}
