// A field that searches a list, with a button for people without a keyboard.
import { Icon } from './icon.tsx'

type SearchProps = {
  label: string
  hint: string
  value: string | undefined
  // Other filters that stay chosen.
  kept?: Readonly<Record<string, string | undefined>>
}

export function SearchLine({ label, hint, value, kept = {} }: SearchProps) {
  return (
    <search>
      <form class="search-line mb-3" method="get">
        {Object.entries(kept).map(
          ([name, text]) => text && <input key={name} type="hidden" name={name} value={text} />,
        )}
        <Icon name="search" />
        <input
          class="form-control"
          type="search"
          name="q"
          aria-label={label}
          placeholder={hint}
          value={value ?? ''}
          maxLength={100}
        />
        <button class="btn" type="submit">
          Search
        </button>
      </form>
    </search>
  )
}
