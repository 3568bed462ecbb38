import type { BalancePart, BusinessBalance } from '../../merchant/balances/balance.ts'
import { Money } from '../components/money.tsx'
import type { Visit } from '../shell/visit.ts'

type TilesProps = { visit: Visit; balances: readonly BusinessBalance[] }

// Each figure leads to the entries that make it.
export function BalanceTiles({ visit, balances }: TilesProps) {
  if (balances.length === 0) return null
  return (
    <section>
      <h2>Balances</h2>
      <div class="tiles">
        {balances.map((balance) => (
          <BalanceTile key={balance.currency} visit={visit} balance={balance} />
        ))}
      </div>
    </section>
  )
}

function BalanceTile({ visit, balance }: { visit: Visit; balance: BusinessBalance }) {
  const { currency } = balance
  const figure = (part: BalancePart, minor: bigint) => (
    <a href={visit.href(`/balances/${currency}/${part}`)}>
      <Money minor={minor} currency={currency} />
    </a>
  )
  return (
    <article class="card tile">
      <div class="card-body">
        <h3 class="tile-label">Available in {currency}</h3>
        <p class="tile-figure">{figure('available', balance.availableMinor)}</p>
        <dl class="tile-parts">
          <div>
            <dt>Pending</dt>
            <dd>{figure('pending', balance.pendingMinor)}</dd>
          </div>
          <div>
            <dt>Reserved</dt>
            <dd>{figure('reserved', balance.reservedMinor)}</dd>
          </div>
          <div>
            <dt>Wallet</dt>
            <dd>{figure('wallet', balance.walletMinor)}</dd>
          </div>
        </dl>
      </div>
    </article>
  )
}
