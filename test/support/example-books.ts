// A small business over two years, with figures that are easy to add by hand.
import type { Books, TestLine } from './journal.ts'

const facts: readonly (readonly [date: string, lines: readonly TestLine[]])[] = [
  // Capital.
  [
    '2025-02-10',
    [
      ['1000', 1_000_000n],
      ['3000', -1_000_000n],
    ],
  ],
  // Goods bought on credit.
  [
    '2025-03-31',
    [
      ['1200', 40_000n],
      ['2200', -40_000n],
    ],
  ],
  [
    '2025-06-15',
    [
      ['1400', 120_000n],
      ['4000', -100_000n],
      ['2100', -20_000n],
    ],
  ],
  // Rent.
  [
    '2025-07-01',
    [
      ['6350', 30_000n],
      ['1000', -30_000n],
    ],
  ],
  [
    '2026-01-20',
    [
      ['1400', 60_000n],
      ['4100', -50_000n],
      ['2100', -10_000n],
    ],
  ],
  [
    '2026-02-28',
    [
      ['5000', 15_000n],
      ['1200', -15_000n],
    ],
  ],
  // Interest received.
  [
    '2026-03-31',
    [
      ['1000', 1_234n],
      ['4800', -1_234n],
    ],
  ],
  // Advertising, on credit.
  [
    '2026-04-01',
    [
      ['6000', 8_050n],
      ['2200', -8_050n],
    ],
  ],
  // Paid out to the owners.
  [
    '2026-05-15',
    [
      ['3200', 5_000n],
      ['1000', -5_000n],
    ],
  ],
]

export const exampleFacts = facts.length

// Not in the order of their dates, since no one posts so.
export async function postExample(books: Books): Promise<void> {
  for (const [date, lines] of [...facts.slice(3), ...facts.slice(0, 3)]) {
    await books.post(date, lines)
  }
}
