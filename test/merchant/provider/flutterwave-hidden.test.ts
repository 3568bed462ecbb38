// A provider that repeats the request in its answer: nothing of it may appear in a log or a reason.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createLog } from '../../../src/kernel/basics/log.ts'
import { Decimal } from '../../../src/kernel/money/decimal.ts'
import { createFlutterwave } from '../../../src/merchant/provider/flutterwave.ts'
import type { Provider } from '../../../src/merchant/provider/provider.ts'

const accountNumber = '0690000031'
const token = 'flw-t1nf-f9b3bf384cd30d6fca42b6df9d27bd2f'

async function echoing(status: number) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const message = `Not taken: ${request.url} ${Buffer.concat(chunks).toString()}`
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ status: 'error', message, data: null }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const lines: string[] = []
  const log = createLog('debug', { write: (line) => lines.push(line) })
  const { port } = server.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}`
  return { lines, provider: createFlutterwave({ baseUrl, secretKey: 'FLWSECK-secret-X', log }) }
}

const bank = { bankCode: '044', accountNumber }
const calls: readonly (readonly [string, string, (provider: Provider) => Promise<unknown>])[] = [
  [
    'a transfer',
    accountNumber,
    (provider) =>
      provider.createTransfer({
        ...bank,
        reference: 'r',
        amountMinor: 100n,
        currency: 'NGN',
        beneficiaryName: 'Ada',
        note: 'Payout',
      }),
  ],
  [
    'a sub-account',
    accountNumber,
    (provider) =>
      provider.createSubaccount({
        ...bank,
        reference: 'r',
        name: 'Ada',
        mobile: '+2348000000000',
        country: 'NG',
        recipientPercent: new Decimal(10n, 0),
      }),
  ],
  ['the look for a sub-account', accountNumber, (provider) => provider.findSubaccount(bank)],
  [
    'a charge of a saved card',
    token,
    (provider) =>
      provider.chargeSavedCard({
        reference: 'r',
        amountMinor: 100n,
        currency: 'NGN',
        token,
        payerEmail: 'payer@example.com',
        country: 'NG',
        note: 'Plan',
      }),
  ],
]

for (const status of [400, 500]) {
  it.each(calls)(
    `%s that is answered with ${status} gives nothing away`,
    async (_, secret, call) => {
      const { provider, lines } = await echoing(status)
      const outcome = JSON.stringify(await call(provider))
      expect(outcome).toContain('Not taken')
      expect(outcome).not.toContain(secret)
      expect(lines.join('')).toContain('Not taken')
      expect(lines.join('')).not.toContain(secret)
    },
  )
}
