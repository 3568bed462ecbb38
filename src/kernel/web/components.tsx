// The small components of pages. They depend only on their properties.
import type { ComponentChildren } from 'preact'
import { siteName } from './site.ts'

export type Tone = 'good' | 'bad' | 'unsure' | 'plain'

// The mark repeats assets/favicon.svg, drawn in the colours of the page.
export function Wordmark() {
  return (
    <>
      <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false">
        <rect class="wordmark-ground" width="32" height="32" rx="8" />
        <path class="wordmark-slip" d="M9 6.5h14v19l-2.8-2-2.1 2-2.1-2-2.1 2-2.1-2-2.8 2z" />
        <path class="wordmark-lines" d="M12.5 11.5h7M12.5 15.5h7M16.5 19.5h3" />
      </svg>
      <span>{siteName}</span>
    </>
  )
}

type CardProps = { title: string; id?: string; children: ComponentChildren }

export function Card({ title, id, children }: CardProps) {
  return (
    <section class="card" {...(id ? { id } : {})}>
      <div class="card-body">
        <h2 class="card-title">{title}</h2>
        {children}
      </div>
    </section>
  )
}

// The text carries the meaning; the colour only repeats it.
export function Badge({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return <span class={`chip chip-${tone}`}>{children}</span>
}

export function Alert({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return <div class={`note note-${tone}`}>{children}</div>
}

// Text to copy. Long lines wrap instead of scrolling, so that all of it is visible on a phone and
// with a keyboard. The script shows the button if copying works.
export function CodeBlock({ id, label, text }: { id: string; label: string; text: string }) {
  return (
    <figure class="code-block">
      <figcaption>
        <span>{label}</span>
        <button
          type="button"
          class="btn btn-sm"
          data-copy={id}
          hidden
          aria-label={`Copy: ${label}`}
        >
          Copy
        </button>
        <span class="visually-hidden" role="status" />
      </figcaption>
      <pre>
        <code id={id}>{text}</code>
      </pre>
    </figure>
  )
}

// Descriptions are plain sentences with `code` between backticks.
export function Prose({ text }: { text: string }) {
  const parts = text.split('`')
  return (
    <>{parts.map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
  )
}
