// How a figure compares with the period before: a sign and per cent, not colour alone.
type ChangeProps = {
  now: bigint
  before: bigint
  // Whether more is better. Fees and refunds are neither good nor bad by themselves.
  isGood?: boolean
}

export function Change({ now, before, isGood = false }: ChangeProps) {
  if (before === 0n) return <span class="change">{now === 0n ? 'No change' : 'New'}</span>
  // In tenths of a per cent.
  const tenths = ((now - before) * 1000n) / before
  const sign = tenths < 0n ? '−' : '+'
  const size = tenths < 0n ? -tenths : tenths
  const text = size >= 10_000n ? `${size / 1000n}×` : `${size / 10n}.${size % 10n}%`
  const tone = isGood && tenths !== 0n ? (tenths > 0n ? ' is-up' : ' is-down') : ''
  return (
    <span class={`change${tone}`}>
      {size >= 10_000n ? text : `${sign}${text}`}
      <span class="visually-hidden"> against the 30 days before</span>
    </span>
  )
}
