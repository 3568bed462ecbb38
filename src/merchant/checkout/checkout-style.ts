// The whole style of the checkout in one small file, which is all that a payer on a slow phone has
// to load. It is part of the program and named after its content, so that browsers can cache it.
import { createHash } from 'node:crypto'
import { orderStyle } from './order-style.ts'

export const checkoutStyle = `:root {
  color-scheme: light dark;
  --ink: light-dark(#16211f, #e8eeec);
  --quiet: light-dark(#52605d, #a9b7b3);
  --ground: light-dark(#f4f6f3, #111716);
  --surface: light-dark(#fff, #1a2221);
  --line: light-dark(#d5dcd8, #35423f);
  --field: light-dark(#7d8b87, #75847f);
  --accent: var(--brand-text, light-dark(#0b6e5b, #67d8bf));
  --on-accent: light-dark(#fff, #06251e);
  --good: light-dark(#0b6e5b, #67d8bf);
  --bad: light-dark(#a11a26, #ffb1b1);
  --bad-ground: light-dark(#fdeaea, #451a1d);
  --note: light-dark(#6a4300, #ffd58f);
  --note-ground: light-dark(#fdf0d2, #3a2d11);
}
* { box-sizing: border-box; }
body {
  margin: 0;
  min-height: 100vh;
  display: flex;
  flex-direction: column;
  background: var(--ground);
  color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  overflow-wrap: anywhere;
}
.label {
  margin: 0;
  padding: .625rem 1rem;
  background: var(--note-ground);
  color: var(--note);
  text-align: center;
  font-size: .9375rem;
}
main { width: 100%; max-width: 28rem; margin: 0 auto; padding: 1.5rem 1rem; flex: 1; }
.card {
  padding: 1.5rem;
  border: 1px solid var(--line);
  border-radius: 1rem;
  background: var(--surface);
  container-type: inline-size;
}
.payee { margin: 0 0 1rem; color: var(--quiet); }
.payee strong { display: block; color: var(--ink); font-size: 1.125rem; }
h1 { margin: 0 0 .5rem; font-size: 1.375rem; line-height: 1.3; }
.text { margin: 0 0 1rem; color: var(--quiet); white-space: pre-line; }
.picture { height: 12rem; margin: 0 0 1rem; overflow: hidden; border-radius: .5rem; }
.picture img { display: block; position: relative; width: 100%; height: 100%; object-fit: contain; }
.picture img::after {
  content: attr(data-initial);
  position: absolute;
  inset: -1px;
  display: grid;
  place-items: center;
  background: var(--ground);
  color: var(--accent);
  font-size: 4rem;
  font-weight: 700;
}
.amount {
  margin: .75rem 0 1.25rem;
  font-size: min(2.25rem, 11cqi);
  font-weight: 700;
  line-height: 1.15;
  white-space: nowrap;
}
.amount + .text { margin-top: -1rem; }
.amount.long { font-size: min(2.25rem, 8cqi); }
form { margin-top: 1.25rem; }
.field { display: block; margin: 0 0 1.25rem; font-weight: 600; }
.field small { display: block; color: var(--quiet); font-weight: 400; font-size: .875rem; }
.money { display: flex; align-items: center; gap: .625rem; }
.field input, .field textarea {
  display: block;
  width: 100%;
  min-height: 3rem;
  margin-top: .375rem;
  padding: .5rem .75rem;
  border: 1px solid var(--field);
  border-radius: .625rem;
  background: var(--ground);
  color: inherit;
  font: inherit;
}
.field textarea { resize: vertical; }
.money input { font-size: 1.25rem; font-weight: 600; }
.field [aria-invalid] { border: 2px solid var(--bad); }
${orderStyle}.error { display: block; margin-top: .375rem; color: var(--bad); font-weight: 400; }
.alert {
  margin: 0 0 1.25rem;
  padding: .75rem 1rem;
  border-radius: .625rem;
  background: var(--bad-ground);
  color: var(--bad);
}
.note {
  margin: 0 0 1.25rem;
  padding: .75rem 1rem;
  border-radius: .625rem;
  background: var(--note-ground);
  color: var(--note);
}
.button {
  display: block;
  width: 100%;
  min-height: 3.25rem;
  padding: .8125rem 1rem;
  border: 0;
  border-radius: .625rem;
  background: var(--brand, var(--accent));
  color: var(--on-brand, var(--on-accent));
  font: inherit;
  font-size: 1.0625rem;
  font-weight: 600;
  text-align: center;
  text-decoration: none;
  cursor: pointer;
}
.button.quiet {
  margin-top: .75rem;
  border: 1px solid var(--field);
  background: transparent;
  color: var(--ink);
}
.button.danger { background: var(--bad); color: var(--surface); }
fieldset { margin: 0 0 1.25rem; padding: 0; border: 0; }
legend { padding: 0; font-weight: 600; }
fieldset:not(.order) label {
  display: flex;
  gap: .75rem;
  align-items: center;
  min-height: 3rem;
  margin-top: .5rem;
  padding: .5rem .75rem;
  border: 1px solid var(--field);
  border-radius: .625rem;
}
fieldset:not(.order) input {
  flex: none;
  width: 1.25rem;
  height: 1.25rem;
  accent-color: var(--accent);
}
.history { margin-top: 1.75rem; }
.history ul { margin: 0; padding: 0; list-style: none; }
.history li {
  display: flex;
  justify-content: space-between;
  gap: 1rem;
  padding: .625rem 0;
  border-bottom: 1px solid var(--line);
}
.history li > :last-child { text-align: right; white-space: nowrap; }
.history small { display: block; color: var(--quiet); font-size: .875rem; }
.hint svg { vertical-align: -.125em; }
.hint { margin: .875rem 0 0; color: var(--quiet); font-size: .875rem; text-align: center; }
.mark { display: block; width: 3.5rem; height: 3.5rem; margin: 0 0 1rem; }
.mark.good { color: var(--good); }
.mark.bad { color: var(--bad); }
.mark.quiet { color: var(--quiet); }
dl { margin: 1.25rem 0 0; border-top: 1px solid var(--line); }
dl div {
  display: flex;
  justify-content: space-between;
  gap: 1rem;
  padding: .625rem 0;
  border-bottom: 1px solid var(--line);
}
dt { color: var(--quiet); white-space: nowrap; }
dd { margin: 0; text-align: right; }
footer p { margin: 0; }
.brand-logo {
  box-sizing: content-box;
  display: block;
  max-width: 100%;
  margin: 0 auto 1.25rem;
  border-radius: .375rem;
}
@media (prefers-color-scheme: dark) {
  .brand-logo { padding: .5rem; background: #fff; }
}
.brand-contact {
  display: flex;
  flex-wrap: wrap;
  justify-content: center;
  gap: .25rem 1rem;
  max-width: 28rem;
  margin: 0 auto .75rem;
  padding: 0;
  list-style: none;
}
h2 { margin: 1.5rem 0 .25rem; font-size: 1rem; }
.status { margin: 0 0 .75rem; color: var(--quiet); }
.status.overdue strong, .status.past_due strong { color: var(--bad); }
.status.paid strong, .status.active strong { color: var(--good); }
.invoice { margin-top: 1.5rem; }
.invoice table { width: 100%; margin: 1.25rem 0 1rem; border-collapse: collapse; }
.invoice caption { text-align: left; color: var(--quiet); font-size: .875rem; }
.invoice th { font-weight: 400; color: var(--quiet); text-align: left; }
.invoice th, .invoice td {
  padding: .5rem 0;
  border-bottom: 1px solid var(--line);
  vertical-align: top;
}
.invoice td small { display: block; color: var(--quiet); }
.invoice tr > :last-child {
  padding-left: 1rem;
  text-align: right;
  white-space: nowrap;
  font-variant-numeric: tabular-nums;
}
.invoice tfoot th { text-align: right; }
.invoice tfoot tr:last-child > * { color: var(--ink); font-weight: 600; }
.languages { display: flex; justify-content: center; gap: 1rem; margin: 0 0 .75rem; }
footer { padding: 0 1rem 1.5rem; color: var(--quiet); font-size: .875rem; text-align: center; }
a { color: var(--accent); }
a.button { color: var(--on-brand, var(--on-accent)); margin-top: 1.25rem; }
a.button.quiet { margin-top: .75rem; color: var(--ink); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
@media print {
  :root { color-scheme: light; --ground: #fff; }
  .card { border: 0; padding: 0; }
  .button, .hint, .languages { display: none; }
}
`

const hash = createHash('sha256').update(checkoutStyle).digest('base64url').slice(0, 12)

export const checkoutStylePath = `/pay/style.${hash}.css`
