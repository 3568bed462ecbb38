// A few banks of each country, with their real codes.
import { notFound } from '../../kernel/basics/fault.ts'
import type { Endpoint } from '../endpoint.ts'
import { success } from '../envelope.ts'

type Bank = { readonly id: number; readonly code: string; readonly name: string }

const banksByCountry: Readonly<Record<string, readonly Bank[]>> = {
  NG: [
    { id: 1, code: '044', name: 'Access Bank' },
    { id: 2, code: '058', name: 'Guaranty Trust Bank' },
    { id: 3, code: '011', name: 'First Bank of Nigeria' },
    { id: 4, code: '033', name: 'United Bank for Africa' },
    { id: 5, code: '057', name: 'Zenith Bank' },
  ],
  GH: [
    { id: 101, code: 'GH280100', name: 'Access Bank Ghana' },
    { id: 102, code: 'GH130100', name: 'Ecobank Ghana' },
  ],
  KE: [
    { id: 201, code: '01', name: 'Kenya Commercial Bank' },
    { id: 202, code: '68', name: 'Equity Bank' },
  ],
  UG: [{ id: 301, code: 'UGA002', name: 'Stanbic Bank Uganda' }],
  ZA: [{ id: 401, code: '250655', name: 'First National Bank' }],
  TZ: [{ id: 501, code: 'TZ003', name: 'CRDB Bank' }],
}

// A code that is not listed is still accepted, because the lists here are short.
export function bankName(code: string): string {
  const bank = Object.values(banksByCountry)
    .flat()
    .find((entry) => entry.code === code)
  return (bank?.name ?? `Bank ${code}`).toUpperCase()
}

export const listBanks: Endpoint = {
  method: 'GET',
  path: '/banks/:country',
  async handle(_context, _world, { params }) {
    const banks = banksByCountry[params.country ?? '']
    if (!banks) throw notFound('country')
    return success('Banks fetched successfully', banks)
  },
}
