// What a dispute means for the people of the business now: what to do, until when, and whether the
// money can still move.
import type { Chargeback, DisputePhase } from '../../merchant/chargebacks/chargeback.ts'
import { Moment } from '../components/moment.tsx'

export const disputesPath = '/disputes'

export const phaseLabels: Readonly<Record<DisputePhase, string>> = {
  needs_answer: 'Needs an answer',
  under_review: 'Under review',
  won: 'Won',
  lost: 'Lost',
}

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

// `in 3 days`, `in 5 hours`
export function timeLeft(dueAt: Date, now: Date): string {
  const leftMs = dueAt.getTime() - now.getTime()
  if (leftMs <= 0) return 'has passed'
  const [count, unit] =
    leftMs >= 2 * dayMs
      ? [Math.floor(leftMs / dayMs), 'days']
      : [Math.max(1, Math.floor(leftMs / hourMs)), 'hours']
  return `in ${count} ${count === 1 ? unit.slice(0, -1) : unit}`
}

type DueProps = { dispute: Chargeback; phase: DisputePhase; zone: string; now: Date }

// Only while it matters: an answered or decided dispute needs no answer.
export function Due({ dispute: { dueAt, isContested }, phase, zone, now }: DueProps) {
  if (!dueAt || phase === 'won' || phase === 'lost') return <>–</>
  if (isContested) return <>Answered</>
  return (
    <span>
      <Moment at={dueAt} zone={zone} />
      <span class="quiet d-block">{timeLeft(dueAt, now)}</span>
    </span>
  )
}
