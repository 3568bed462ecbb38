// The page of a receipt, and the receipt as PDF. The mail to the payer has the address.
import { type HostedObject, parseHostedReference } from '../../kernel/basics/hosted-reference.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Page, PageAnswer, PageRequest } from '../../kernel/web/page.ts'
import {
  forPayer,
  type PayerContext,
  type PayerFacts,
  unknownAnswer,
} from '../checkout/checkout-answers.tsx'
import { checkoutAnswer } from '../checkout/checkout-document.tsx'
import type { MerchantContext } from '../context.ts'
import { printScript, printScriptPath } from './print-script.ts'
import { type PrintedReceipt, printedReceipt } from './printed-receipt.ts'
import { readReceipt } from './read-receipt.ts'
import { type Receipt, receiptPath } from './receipt.ts'
import { ReceiptView } from './receipt-view.tsx'

// The books have the tools.
export type DrawReceipt = (
  tenant: Tenant,
  receipt: PrintedReceipt,
  signal: AbortSignal,
) => Promise<Uint8Array>

type Show = (context: PayerContext, receipt: Receipt, request: PageRequest) => Promise<PageAnswer>

export function receiptPages(
  merchant: MerchantContext,
  facts: PayerFacts,
  draw: DrawReceipt,
): Page[] {
  const context = { ...merchant, ...facts }
  const handle =
    (show: Show): Page['handle'] =>
    async (request) => {
      const payer = forPayer(context, request)
      const hosted = hostedObject(request)
      const key = request.params.key ?? ''
      const receipt = hosted && (await readReceipt(context, hosted, key))
      return receipt ? show(payer, receipt, request) : unknownAnswer(payer)
    }
  return [
    { method: 'GET', path: printScriptPath, handle: async () => scriptFile },
    {
      method: 'GET',
      path: '/receipt/:reference/:key',
      hosted: 'plain',
      handle: handle(showReceipt),
    },
    {
      method: 'GET',
      path: '/receipt/:reference/:key/pdf',
      hosted: 'costly',
      handle: handle((payer, receipt, { signal }) => sendPdf(payer, receipt, draw, signal)),
    },
  ]
}

const scriptFile: PageAnswer = {
  status: 200,
  headers: {
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
  },
  body: printScript,
}

async function showReceipt(context: PayerContext, receipt: Receipt): Promise<PageAnswer> {
  const { offer, payment } = receipt
  const { language } = context
  const timeZone = await context.timeZoneOf(offer.tenant)
  const pdfPath = `${receiptPath(payment)}/pdf?lang=${language.code}`
  return checkoutAnswer(context, 200, {
    title: language.texts.receiptPage.title,
    offer,
    provider: await context.providerFor(offer.tenant),
    body: <ReceiptView {...{ receipt, timeZone, language, pdfPath }} />,
    scriptPath: printScriptPath,
  })
}

async function sendPdf(
  context: PayerContext,
  receipt: Receipt,
  draw: DrawReceipt,
  signal: AbortSignal,
): Promise<PageAnswer> {
  const { offer, payment } = receipt
  const { language } = context
  const { isSimulated } = await context.providerFor(offer.tenant)
  const { testMode, demonstration, receiptPage } = language.texts
  const isTest = offer.tenant.environment === 'test'
  const { label, text } = isTest ? testMode : demonstration
  const printed = printedReceipt(receipt, {
    timeZone: await context.timeZoneOf(offer.tenant),
    language,
    warning: isTest || isSimulated ? `${label} ${text}` : '',
  })
  const name = `${receiptPage.fileName}-${payment.id}.pdf`
  return {
    status: 200,
    headers: {
      // The address is a secret, so search engines must not index it.
      'x-robots-tag': 'noindex',
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="${name}"`,
    },
    body: await draw(offer.tenant, printed, signal),
  }
}

function hostedObject({ params }: PageRequest): HostedObject | undefined {
  return parseHostedReference(params.reference ?? '')
}
