import { h } from 'preact'
import { Icon } from '../components/icon.tsx'
import type { Visit } from '../shell/visit.ts'

// A field that leads to the page of results. With JavaScript it opens the command palette, which
// shows them while one types.
export function SearchBox({ visit }: { visit: Visit }) {
  return (
    <search class="top-search">
      <form action={visit.href('/search')} method="get">
        <label class="visually-hidden" for="search">
          Search
        </label>
        <Icon name="search" />
        <input
          class="form-control"
          id="search"
          name="q"
          type="search"
          placeholder="Search or go to…"
          autocomplete="off"
          aria-keyshortcuts="/ Control+K"
        />
        <span class="top-search-key key" aria-hidden="true">
          /
        </span>
      </form>
    </search>
  )
}

export function Palette({ visit }: { visit: Visit }) {
  return (
    <dialog class="palette" id="palette" aria-label="Search">
      <form action={visit.href('/search')} method="get" data-turbo-frame="palette-results">
        <Icon name="search" />
        <input
          name="q"
          type="search"
          placeholder="Search payments, people, links, or type where to go"
          aria-label="Search"
          autocomplete="off"
          maxLength={100}
        />
      </form>
      {h('turbo-frame', { id: 'palette-results', 'aria-live': 'polite' })}
      <p class="palette-help" aria-hidden="true">
        <span class="key">↑</span> <span class="key">↓</span> choose <span class="key">Enter</span>{' '}
        open <span class="key">Esc</span> close
      </p>
    </dialog>
  )
}
