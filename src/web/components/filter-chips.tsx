// Filters as links: each view has its own address, and works without JavaScript.
type ChipsProps<Choice extends string> = {
  label: string
  chosen: Choice | undefined
  choices: Readonly<Record<Choice, string>>
  hrefOf: (choice: Choice | undefined) => string
  // What is shown without a choice.
  allLabel?: string
}

export function FilterChips<Choice extends string>(props: ChipsProps<Choice>) {
  const { label, chosen, choices, hrefOf, allLabel = 'All' } = props
  const entries = Object.entries(choices) as [Choice, string][]
  return (
    <nav class="filter-chips" aria-label={label}>
      <a href={hrefOf(undefined)} {...current(chosen === undefined)}>
        {allLabel}
      </a>
      {entries.map(([choice, text]) => (
        <a key={choice} href={hrefOf(choice)} {...current(choice === chosen)}>
          {text}
        </a>
      ))}
    </nav>
  )
}

function current(isChosen: boolean) {
  return isChosen ? ({ 'aria-current': 'true' } as const) : {}
}
