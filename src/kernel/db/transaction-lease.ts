// A transaction has its connection only as long as that lives. postgres.js (3.4.9) does not hold to
// it: what is sent through a transaction whose connection was lost, its own `rollback` included,
// either brings the process down (its issue 1208) or, when the pool has connected anew meanwhile,
// runs inside somebody else's transaction (its issue 1216). So nothing is sent any more: whoever
// tries is refused, and the driver never hears how the work ended, since it has reported the loss.
import postgres from 'postgres'

type AnyTx = postgres.TransactionSql<{ bigint: bigint }>

export type TransactionLease = {
  guard(tx: AnyTx): AnyTx
  run<T>(work: () => Promise<T>): Promise<T>
  end(): void
}

export function createLease(): TransactionLease {
  let ended = false
  const assertHeld = () => {
    if (!ended) return
    const error = new Error('the transaction has ended: its connection was lost, or it was left')
    throw Object.assign(error, { code: 'CONNECTION_CLOSED' })
  }
  // The driver itself rolls back to a savepoint when its work fails, so that work is held to the
  // same rule.
  const savepointOf = (tx: AnyTx) => (work: (inner: AnyTx) => Promise<unknown>) =>
    tx.savepoint((inner) => lease.run(() => work(lease.guard(inner))))
  const lease: TransactionLease = {
    guard: (tx) =>
      new Proxy(tx, {
        apply(target, self, args) {
          assertHeld()
          return Reflect.apply(target as never, self, args)
        },
        get(target, name) {
          assertHeld()
          return name === 'savepoint' ? savepointOf(target) : Reflect.get(target, name)
        },
      }),
    async run(work) {
      try {
        const result = await work()
        if (!ended) return result
      } catch (error) {
        if (!ended && !endsConnection(error)) throw error
      }
      return new Promise<never>(() => undefined)
    },
    end() {
      ended = true
    },
  }
  return lease
}

// After a fatal error the server closes the connection; every other error that is not the server's
// own is the loss of it.
function endsConnection(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error)) return false
  if (error instanceof postgres.PostgresError) return /FATAL|PANIC/.test(error.severity)
  return 'query' in error || String(error.code).startsWith('CONNECTION_')
}
