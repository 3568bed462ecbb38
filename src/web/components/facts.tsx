// Labels and values of one object.
import type { ComponentChildren } from 'preact'

export type Fact = readonly [label: string, value: ComponentChildren]

export function Facts({ facts }: { facts: readonly (Fact | undefined | false | null)[] }) {
  return (
    <dl class="facts">
      {facts.map((fact) =>
        fact ? (
          <>
            <dt>{fact[0]}</dt>
            <dd>{fact[1]}</dd>
          </>
        ) : null,
      )}
    </dl>
  )
}
