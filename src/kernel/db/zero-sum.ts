import type { Tx } from './database.ts'
import type { Fragment } from './statement.ts'

// The amount, for a column that is not null. If the amounts don't sum to zero it is null, and the
// database refuses the whole statement. As numeric, since a sum on the way can be larger than any
// amount. All parts are parameters, without a sub-select: so a
// distributed database sends the statement to one server as it is.
export function ifSumIsZero(tx: Tx, amounts: readonly bigint[], amount: bigint): Fragment {
  const terms = amounts.map((one) => tx`+ ${one}::numeric`)
  return tx`case when ${terms} = 0 then ${amount} end`
}
