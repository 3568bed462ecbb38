// What happened to an object, newest first.
import type { ComponentChildren } from 'preact'
import { Moment } from './moment.tsx'

export type Happening = {
  readonly at: Date
  readonly title: ComponentChildren
  readonly detail?: ComponentChildren
}

export function Timeline({ happenings, zone }: { happenings: readonly Happening[]; zone: string }) {
  const newestFirst = happenings.toSorted((left, right) => right.at.getTime() - left.at.getTime())
  return (
    <ol class="timeline">
      {newestFirst.map(({ at, title, detail }, index) => (
        <li key={index}>
          <p>
            <strong>{title}</strong>
          </p>
          {detail && <p>{detail}</p>}
          <p class="quiet">
            <Moment at={at} zone={zone} />
          </p>
        </li>
      ))}
    </ol>
  )
}
